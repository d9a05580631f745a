import ClipModel
import Foundation
import LibAV

/// The settings for transcoding one video track, derived from a plan.
struct VideoRouteSettings {
  let steps: [PictureStep]
  let encoding: VideoEncoding
  let plan: ProcessingPlan
  /// The number of threads that each codec uses.
  let coreCount: Int
  /// The layout of the output frames.
  let layout: FrameLayout
  /// The frame rate of the output, used only for rate control.
  let frameRate: Rational
  /// The end of the last frame, in seconds from the start of the presentation.
  var endSeconds: Double
  /// Whether `endSeconds` is exact and must not be adjusted to the last packet.
  var isLengthExact = false
  /// The properties of the first frame, or `nil` if the frame cannot be decoded.
  var firstFrame: FirstFrame?
  /// The source's bits per pixel and frame.
  private let sourceBitsPerPixel: Double?

  init(
    _ stream: SourceStream, steps: [PictureStep], encoding: VideoEncoding, plan: ProcessingPlan, coreCount: Int
  ) {
    self.steps = steps
    self.encoding = encoding
    self.plan = plan
    self.coreCount = coreCount
    endSeconds = plan.durationSeconds
    var size = PictureSize(width: stream.width, height: stream.height)
    for case .scale(let width, let height) in steps { size = PictureSize(width: width, height: height) }
    layout = encoding.codec == .hevcHDR ? .hdr(size, like: stream.codedLayout) : .video(size)
    let rate = stream.averageFrameRate ?? stream.realFrameRate ?? Rational(30, 1)
    let fields: Int32 = steps.contains(.deinterlace) ? 2 : 1
    frameRate = Rational(rate.numerator * fields, rate.denominator * Int32(max(encoding.frameRateDivisor, 1)))
    sourceBitsPerPixel = stream.bitsPerSecond.map {
      Double($0) / (Double(stream.width * stream.height) * max(rate.value, 1))
    }
  }

  /// The maximum number of frames from one key frame to the next.
  private var keyFrameInterval: Int { max(1, Int((frameRate.value * encoding.keyFrameIntervalSeconds).rounded())) }

  /// Returns the schedule that limits the time between key frames.
  func makeKeyFrameSchedule(timeBase: Rational) -> KeyFrameSchedule {
    KeyFrameSchedule(
      frameLimit: keyFrameInterval, secondLimit: encoding.keyFrameIntervalSeconds, timeBase: timeBase)
  }

  /// Opens the encoder for frames with timestamps in a time base. If the plan requests hardware encoding, also returns
  /// a note about the encoder that was chosen.
  /// - Parameter candidates: the hardware encoders to try, if the plan requests one.
  func makeEncoder(
    timeBase: Rational, hardware candidates: [String] = HardwareEncoders.candidates
  ) throws(FFmpegError) -> (encoder: Encoder, note: ProcessingNote?) {
    var settings = Encoder.VideoSettings(layout: layout, timeBase: timeBase, frameRate: frameRate)
    let limits = RateLimits(encoding, durationSeconds: plan.durationSeconds)
    settings.maximumBitsPerSecond = limits.bitsPerSecond
    settings.bufferBits = limits.bufferBits
    settings.keyFrameInterval = keyFrameInterval
    settings.threadCount = coreCount
    let recipe = EncoderRecipe(encoding.effort, bitsPerPixel: firstFrame?.bitsPerPixel ?? 0)
    settings.preset = recipe.preset
    settings.constantRateFactor = recipe.rateFactor(for: encoding, sourceBitsPerPixel: sourceBitsPerPixel)
    guard encoding.codec == .h264 else {
      // Disable x265's logging to stderr and the settings that it writes into the stream. libavcodec still reports
      // errors.
      settings.parameters = "log-level=none:info=0:open-gop=0:vbv-init=\(limits.initialFill)"
      if layout.transfer == .pq {
        settings.parameters += ":hdr10=1:repeat-headers=0"
        if let display = firstFrame?.masteringDisplay { settings.parameters += ":master-display=\(display)" }
        if let level = firstFrame?.contentLight { settings.parameters += ":max-cll=\(level)" }
      }
      return (try Encoder(hevc: settings), nil)
    }
    settings.parameters = recipe.parameters + ":vbv-init=\(limits.initialFill)"
    guard encoding.usesHardware else { return (try Encoder(h264: settings), nil) }
    var trial = settings
    trial.timeBase = Rational(frameRate.denominator, frameRate.numerator)
    let (name, failures) = HardwareEncoders.findWorking(for: trial, among: candidates)
    guard let name else {
      let why = failures.joined(separator: "; ")
      return (try Encoder(h264: settings), .softwareEncoder(why: why))
    }
    return (try Encoder(hardware: name, settings), .hardwareEncoder(name: name))
  }
}
