import ClipModel
import Foundation
import LibAV

/// The path of every packet from a source to an MP4: demuxer, then copy or decoder, scaler and encoder, then muxer.
///
/// Reads and decodes on one thread; pictures are scaled and encoded on others (`PictureLine`), and the codecs have
/// threads of their own. Decides nothing: the plan says what happens.
final class ClipPipeline {
  private let input: InputContainer
  private let output: OutputContainer
  private let plan: ProcessingPlan
  private let interruption: Interruption
  private let progress: (Double) -> Void
  private let video: any PacketRoute
  private let audio: (any PacketRoute)?
  private let examiner: DecodingExaminer?
  private let timeBases: [Int: Rational]
  /// Notes of the run, for people.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - encoding: the plan's, or the one of a second try.
  ///   - videoStartSeconds: when the picture begins, by the sample table: libav moves a track to the beginning whose edit
  ///     list shows it later.
  ///   - isLengthExact: the sample table tells when the last picture ends.
  ///   - examiner: sees every decoded picture that is kept, and the sound.
  ///   - tap: sees every encoded picture; those of a copy are nowhere.
  ///   - opened: the source, where it stands open already; a cut is made from it wherever it was read before.
  ///   - coreCount: threads of each codec.
  ///   - progress: fraction of the clip that is done, 0 to 1; called on the pipeline's thread.
  init(
    source: OpenedClip, opened: InputContainer? = nil, destination: String, plan: ProcessingPlan,
    encoding: VideoEncoding?,
    captureDate: String?, videoStartSeconds: Double? = nil, isLengthExact: Bool = false,
    tap: PictureTap? = nil, examiner: DecodingExaminer? = nil, coreCount: Int,
    interruption: Interruption,
    progress: @escaping (Double) -> Void
  ) throws {
    // HDR that stays needs its colours before the first picture is decoded.
    let needsColour = plan.video.encoding?.codec == .hevcHDR
    let shared = plan.trim == nil ? nil : opened
    let opened = try shared ?? source.container(needsColour ? .always : .whenNeeded, interruption: interruption)
    let origin = opened.originSeconds + (plan.trim?.lowerBound ?? 0)
    var settings: VideoRouteSettings?
    if case .transcode(let index, let steps, let planned) = plan.video {
      settings = try VideoRouteSettings(
        try opened.stream(index), steps: steps, encoding: encoding ?? planned, plan: plan,
        isLengthExact: isLengthExact && opened.tellsTrackLengths && plan.trim == nil,
        leadSeconds: plan.trim == nil ? opened.leadSeconds(of: index) : 0, coreCount: coreCount
      ) { layout in
        // Behind the first picture a container stands anywhere: only a cut looks for its place again.
        try FirstPicture.read(
          in: try shared ?? source.container(.whenNeeded, interruption: interruption),
          isAtBeginning: shared == nil, trackIndex: index, startSeconds: origin, target: layout,
          interruption: interruption)
      }
    }
    let whole = examiner.flatMap { $0.isWhole ? $0 : nil }
    let input = try ClipPipeline.positioned(opened, plan: plan, interruption: interruption)
    let output = try OutputContainer(mp4At: destination, interruption: interruption)
    if let captureDate { output.setCaptureDate(captureDate) }
    let window = OutputWindow(
      originSeconds: origin, leadSeconds: plan.leadSeconds ?? 0,
      lengthSeconds: plan.trim.map { $0.upperBound - $0.lowerBound })
    let videoStream = try input.stream(plan.video.trackIndex)
    var videoWindow = window
    if input.tellsTrackLengths, let start = videoStartSeconds, let moved = videoStream.start?.seconds {
      // A start before zero is a first picture that lasts into its edit; libav moved nothing.
      videoWindow.originSeconds -= max(start - max(moved, 0), 0)
    }
    if let settings {
      video = try VideoRoute(
        videoStream, output: output, window: videoWindow, settings: settings, name: input.name, tap: tap,
        examiner: whole)
    } else {
      video = try CopyRoute(videoStream, output: output, window: videoWindow, name: input.name)
    }
    switch plan.audio {
    case nil: audio = nil
    case .copy(let index):
      let stream = try input.stream(index)
      examiner?.prepare(copied: stream, originSeconds: origin)
      audio = try CopyRoute(stream, output: output, window: window, name: input.name)
    case .encode(let index, let channelCount, let sampleRate, let bitsPerSecond):
      do {
        audio = try AudioRoute(
          try input.stream(index), output: output, window: window, channelCount: channelCount, sampleRate: sampleRate,
          bitsPerSecond: bitsPerSecond, plan: plan, examiner: whole)
      } catch let error as FFmpegError where error.isOfAnUnusableDecoder {
        audio = nil
        notes.append("no sound: track \(index) cannot be decoded")
      }
    }
    self.examiner = examiner
    self.input = input
    self.output = output
    timeBases = Dictionary(uniqueKeysWithValues: input.streams.map { ($0.index, $0.timeBase) })
    self.plan = plan
    self.interruption = interruption
    self.progress = progress
    input.select(Set([plan.video.trackIndex, plan.audio?.trackIndex].compactMap { $0 }))
  }

  /// For a cut, standing before the frames that it needs.
  private static func positioned(
    _ input: InputContainer, plan: ProcessingPlan, interruption: Interruption
  ) throws -> InputContainer {
    guard let trim = plan.trim, let video = input.streams.first(where: { $0.index == plan.video.trackIndex }) else {
      return input
    }
    return try input.positioned(
      before: trim.lowerBound + input.originSeconds, stream: video, interruption: interruption)
  }

  /// Runs to the end; afterwards the destination is a complete MP4.
  func run() throws {
    // Whatever ends this, no thread goes on writing afterwards.
    defer { video.abandon() }
    try output.writeHeader()
    let packet = try Packet()
    // Packets come in decoding order: what they reach jumps back and forth.
    var reached = 0.0
    while try input.read(into: packet) {
      try interruption.check()
      if packet.streamIndex == plan.video.trackIndex {
        try video.take(packet)
        reached = max(reached, min(video.reachedSeconds / max(plan.durationSeconds, 0.001), 1))
        progress(reached)
      } else if packet.streamIndex == plan.audio?.trackIndex, let audio {
        if !audio.isComplete { try examiner?.hear(copied: packet) }
        try audio.take(packet)
      }
      if video.isComplete, video.salvagedSeconds != nil || (audio?.isComplete ?? true) || isFarBehindTheCut(packet) {
        break
      }
    }
    try video.finish()
    try audio?.finish()
    try examiner?.hear(copied: nil)
    guard video.writtenCount > 0 else { throw ClipMediaError.noFrames(name: input.name) }
    try output.finish()
    notes += video.notes + (audio?.notes ?? [])
    if !hasSound, audio != nil { notes.append("this part has no sound") }
    progress(1)
  }

  /// Whether there is any; known after `run`.
  var hasSound: Bool { (audio?.writtenCount ?? 0) > 0 }

  /// Where the good part of a damaged source ends, seconds of the output; known after `run`.
  var salvagedSeconds: Double? { video.salvagedSeconds }

  /// Pictures that were left out because their times had passed; known after `run`.
  var droppedCount: Int { (video as? VideoRoute)?.droppedCount ?? 0 }

  /// How much longer than its cut a copied picture is shown; known after `run`.
  var overrunSeconds: Double { (video as? CopyRoute)?.overrunSeconds ?? 0 }
}

extension ClipPipeline {
  /// Sound that ends before the cut never says that it is complete: the rest of a long match is not read for it.
  private func isFarBehindTheCut(_ packet: Packet) -> Bool {
    guard let trim = plan.trim, let ticks = packet.decodingTicks ?? packet.presentationTicks,
      let timeBase = timeBases[packet.streamIndex]
    else { return false }
    // Interleaving keeps tracks within a few seconds of each other.
    return Double(ticks) * timeBase.value > trim.upperBound + input.originSeconds + 10
  }
}

/// The part of the source's clock that becomes the output's: output time is source time minus the origin.
struct OutputWindow {
  var originSeconds: Double
  /// What a copy takes along before the origin.
  var leadSeconds = 0.0
  /// `nil` for everything to the end.
  var lengthSeconds: Double?

  /// The origin in ticks, rounded to the nearest.
  func origin(in timeBase: Rational) -> Int64 {
    Int64(saturating: (originSeconds / timeBase.value).rounded())
  }

  /// The lead in ticks.
  func lead(in timeBase: Rational) -> Int64 { Int64(saturating: (leadSeconds / timeBase.value).rounded()) }

  /// Length in ticks.
  func length(in timeBase: Rational) -> Int64? {
    lengthSeconds.map { Int64(saturating: ($0 / timeBase.value).rounded()) }
  }
}

/// What happens to the packets of one track on their way to the muxer.
protocol PacketRoute: AnyObject {
  func take(_ packet: Packet) throws
  /// The source has no more packets: everything still held goes out.
  func finish() throws
  /// Stops what goes on in the background, if anything does; nothing after `finish`.
  func abandon()
  /// Output time reached so far, seconds.
  var reachedSeconds: Double { get }
  /// The end of the window has been passed.
  var isComplete: Bool { get }
  /// Packets written.
  var writtenCount: Int { get }
  var notes: [String] { get }
  /// Where the good part of a damaged source ends, seconds of the output; `nil` for a sound one.
  var salvagedSeconds: Double? { get }
}

extension PacketRoute {
  func abandon() {}
  var salvagedSeconds: Double? { nil }
}
