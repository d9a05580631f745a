import ClipModel
import Foundation
import LibAV

/// What a plan means for one video track: everything that has to be known before the first picture.
struct VideoRouteSettings {
  let encoding: VideoEncoding
  let steps: [PictureStep]
  /// Of the output's pictures.
  let layout: PictureLayout
  /// Frames a second of the output, for rate control only.
  let frameRate: Rational
  /// Length of the output as it was planned.
  let durationSeconds: Double
  /// When its last picture ends, from the beginning of the presentation.
  let endSeconds: Double
  let salvages: Bool
  /// The planned end is that of the last picture, whatever packets say.
  let isLengthExact: Bool
  /// Threads of each codec.
  let coreCount: Int
  /// What was seen in the first picture; `nil` when it could not be decoded.
  let first: FirstPicture?
  /// Of the source, a pixel and frame.
  private let sourceBitsPerPixel: Double?

  init(
    _ stream: SourceStream, steps: [PictureStep], encoding: VideoEncoding, plan: ProcessingPlan,
    isLengthExact: Bool = false, leadSeconds: Double = 0,
    coreCount: Int,
    first: (PictureLayout) throws -> FirstPicture?
  ) throws {
    self.encoding = encoding
    self.steps = steps
    self.coreCount = coreCount
    durationSeconds = plan.durationSeconds
    self.isLengthExact = isLengthExact
    endSeconds = plan.durationSeconds + leadSeconds
    salvages = plan.salvages ?? false
    var size = PictureSize(width: stream.width, height: stream.height)
    for case .scale(let width, let height) in steps { size = PictureSize(width: width, height: height) }
    layout =
      encoding.codec == .hevcHDR
      ? FrameScaler.hdrLayout(size, like: stream.codedLayout) : FrameScaler.videoLayout(size)
    let rate = stream.averageFrameRate ?? stream.realFrameRate ?? Rational(30, 1)
    let fields: Int32 = steps.contains(.deinterlace) ? 2 : 1
    frameRate = Rational(rate.numerator * fields, rate.denominator * Int32(max(encoding.frameRateDivisor, 1)))
    sourceBitsPerPixel = stream.bitsPerSecond.map {
      Double($0) / (Double(stream.width * stream.height) * max(rate.value, 1))
    }
    self.first = try first(layout)
  }

  /// With the whole machine libav takes a thread more than there are cores, for the one that waits.
  var decoderThreadCount: Int { coreCount >= ProcessInfo.processInfo.activeProcessorCount ? 0 : coreCount }

  /// The encoder, for pictures with timestamps in this time base, and what there is to say about the choice.
  /// - Parameter candidates: hardware encoders to try, when one was asked for.
  func encoder(
    timeBase: Rational, hardware candidates: [String] = HardwareEncoders.candidates
  ) throws(FFmpegError) -> (encoder: Encoder, note: String?) {
    var settings = Encoder.VideoSettings(
      layout: layout, timeBase: timeBase, frameRate: frameRate, constantRateFactor: encoding.constantRateFactor,
      maximumBitsPerSecond: encoding.maximumBitsPerSecond, bufferBits: encoding.bufferBits,
      keyFrameInterval: max(1, Int((frameRate.value * encoding.keyFrameIntervalSeconds).rounded())),
      preset: EncoderRecipe.preset, threadCount: coreCount)
    let fill = EncoderRecipe.initialFill(encoding, durationSeconds: durationSeconds)
    guard encoding.codec == .h264 else {
      // x265 says on stderr what it does, and what it could not find out about the machine, and writes it into the stream,
      // unless it is told not to; what goes wrong comes back from libavcodec.
      settings.parameters = "log-level=none:info=0:open-gop=0:vbv-init=\(fill)"
      // About the same look on x265's scale, whose presets are a step slower.
      settings.constantRateFactor += 1
      if layout.transfer == .pq {
        settings.parameters += ":hdr10=1:repeat-headers=0"
        if let display = first?.masteringDisplay { settings.parameters += ":master-display=\(display)" }
        if let level = first?.contentLight { settings.parameters += ":max-cll=\(level)" }
      }
      return (try Encoder(hevc: settings), nil)
    }
    let recipe = EncoderRecipe(bitsPerPixel: first?.bitsPerPixel ?? 0)
    settings.parameters = recipe.parameters + ":vbv-init=\(fill)"
    settings.constantRateFactor = recipe.rateFactor(
      quality: encoding.constantRateFactor, sourceBitsPerPixel: sourceBitsPerPixel)
    guard encoding.usesHardware else { return (try Encoder(h264: settings), nil) }
    var trial = settings
    trial.timeBase = Rational(frameRate.denominator, frameRate.numerator)
    let (name, failures) = HardwareEncoders.working(for: trial, among: candidates)
    guard let name else {
      let why = failures.joined(separator: "; ")
      return (try Encoder(h264: settings), "no hardware encoder works here (\(why)); x264 was used")
    }
    return (try Encoder(hardware: name, settings), "encoded by \(name)")
  }
}
