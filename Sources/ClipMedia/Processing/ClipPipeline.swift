import ClipModel
import Foundation
import LibAV

/// Moves packets from a source to an MP4: demuxer, then copy or decoder, scaler and encoder, then muxer.
///
/// Reads and decodes on one thread. Scaling and encoding run on others (`FramePipeline`), and the codecs have their own
/// threads. The plan contains all decisions.
final class ClipPipeline {
  private let run: ProcessingRun
  private let input: InputContainer
  private let output: OutputContainer
  private let video: any PacketRoute
  private let audio: (any PacketRoute)?
  private let analyzer: DecodingAnalyzer?
  private var notes: [String] = []

  private var plan: ProcessingPlan { run.plan }

  /// - Parameters:
  ///   - run: the source, the plan and the output file.
  ///   - encoding: the plan's encoding settings, or those of another attempt.
  ///   - tap: receives every encoded frame. Not used for copied video.
  ///   - analyzer: receives every decoded frame that is kept, and the audio.
  init(
    _ run: ProcessingRun, encoding: VideoEncoding?, tap: FrameTap? = nil, analyzer: DecodingAnalyzer? = nil
  ) throws {
    let (plan, probe) = (run.plan, run.source.probe)
    let shared = plan.trim == nil ? nil : run.opened
    let opened = try shared ?? run.source.container(plan.analysis, interruption: run.interruption)
    let origin = opened.originSeconds + (plan.trim?.lowerBound ?? 0)
    var settings: VideoRouteSettings?
    if case .transcode(let index, let steps, let planned) = plan.video {
      var transcode = VideoRouteSettings(
        try opened.stream(index), steps: steps, encoding: encoding ?? planned, plan: plan, coreCount: run.coreCount)
      // The sample table contains the end of the last frame.
      transcode.isLengthExact =
        probe.mainVideo?.shownFrameCount != nil && opened.hasTrackDurations && plan.trim == nil
      if plan.trim == nil { transcode.endSeconds += opened.leadSeconds(of: index) }
      // A cut seeks in the existing container. A new container is at its start.
      transcode.firstFrame = try FirstFrame.read(
        in: try shared ?? run.source.container(.whenNeeded, interruption: run.interruption),
        isAtStart: shared == nil, trackIndex: index, startSeconds: origin, target: transcode.layout,
        interruption: run.interruption)
      settings = transcode
    }
    let frameAnalyzer = analyzer.flatMap { $0.analyzesFrames ? $0 : nil }
    // Reading starts before the first frame of the cut.
    let input =
      plan.trim == nil
      ? opened
      : try opened.positioned(
        before: origin, stream: opened.stream(plan.video.trackIndex), interruption: run.interruption)
    let output = try OutputContainer(mp4At: run.path, interruption: run.interruption)
    if let date = probe.captureDate { output.setCaptureDate(date) }
    let window = OutputWindow(
      originSeconds: origin, leadSeconds: plan.leadSeconds ?? 0,
      lengthSeconds: plan.trim.map { $0.upperBound - $0.lowerBound })
    let stream = try input.stream(plan.video.trackIndex)
    var videoWindow = window
    let start = probe.videoTracks.first { $0.index == plan.video.trackIndex }?.startSeconds
    if input.hasTrackDurations, let start, let moved = stream.start?.seconds {
      // libav moves a track to the start when its edit list delays it; the sample table has its real start. A negative
      // start is a first frame that lasts into its edit; libav moved nothing.
      videoWindow.originSeconds -= max(start - max(moved, 0), 0)
    }
    if let settings {
      video = try VideoRoute(
        stream, output: output, window: videoWindow, settings: settings, name: input.name, tap: tap,
        analyzer: frameAnalyzer)
    } else {
      video = try CopyRoute(stream, output: output, window: videoWindow, name: input.name)
    }
    switch plan.audio {
    case nil: audio = nil
    case .copy(let index):
      let stream = try input.stream(index)
      analyzer?.prepareCopiedAudio(stream, originSeconds: origin)
      audio = try CopyRoute(stream, output: output, window: window, name: input.name)
    case .encode(let index, let channelCount, let sampleRate, let bitsPerSecond):
      do {
        audio = try AudioRoute(
          try input.stream(index), output: output, window: window, endSeconds: plan.durationSeconds,
          encoder: Encoder(aacChannelCount: channelCount, sampleRate: sampleRate, bitsPerSecond: bitsPerSecond),
          analyzer: frameAnalyzer)
      } catch let error as FFmpegError where error.isUnusableDecoder {
        audio = nil
        notes.append("no audio: track \(index) cannot be decoded")
      }
    }
    self.analyzer = analyzer
    self.input = input
    self.output = output
    self.run = run
    input.select(Set([plan.video.trackIndex, plan.audio?.trackIndex].compactMap { $0 }))
  }

  /// Writes the whole output. Afterwards, the destination is a complete MP4.
  func write() throws -> PipelineReport {
    // After an error, no thread may continue to write.
    defer { video.cancel() }
    try output.writeHeader()
    let packet = try Packet()
    // Packets arrive in decoding order, so their presentation times go back and forth.
    var reached = 0.0
    while try input.read(into: packet) {
      try run.interruption.check()
      if packet.streamIndex == plan.video.trackIndex {
        try video.process(packet)
        reached = max(reached, min(video.reachedSeconds / max(plan.durationSeconds, 0.001), 1))
        run.progress(reached)
      } else if packet.streamIndex == plan.audio?.trackIndex, let audio {
        if !audio.isComplete { try analyzer?.processCopiedAudio(packet) }
        try audio.process(packet)
      }
      let isAudioComplete = audio?.isComplete ?? true
      if video.isComplete, video.report.salvagedSeconds != nil || isAudioComplete || isFarAfterTheCut(packet) { break }
    }
    try video.finish()
    try audio?.finish()
    try analyzer?.processCopiedAudio(nil)
    guard video.writtenCount > 0 else { throw ClipMediaError.noFrames(name: input.name) }
    try output.finish()
    var report = video.report
    report.hasAudio = (audio?.writtenCount ?? 0) > 0
    report.notes = notes + report.notes + (audio?.report.notes ?? [])
    if !report.hasAudio, audio != nil { report.notes.append("this part has no audio") }
    run.progress(1)
    return report
  }

  /// Whether the packet is far after the cut. Audio that ends before the end of the cut never becomes complete, but the
  /// rest of a long match must not be read for it.
  private func isFarAfterTheCut(_ packet: Packet) -> Bool {
    guard let trim = plan.trim, let ticks = packet.decodingTicks ?? packet.presentationTicks,
      let stream = try? input.stream(packet.streamIndex)
    else { return false }
    // Interleaving keeps tracks within a few seconds of each other.
    return Double(ticks) * stream.timeBase.value > trim.upperBound + input.originSeconds + 10
  }
}

extension ProcessingPlan {
  /// How a source is opened for this plan: HDR output needs the colors before the first frame is decoded.
  var analysis: InputContainer.Analysis { video.encoding?.codec == .hevcHDR ? .always : .whenNeeded }
}

/// A pipeline's report about its output.
struct PipelineReport {
  var notes: [String] = []
  var hasAudio = true
  /// The end of the intact part of a damaged source, in seconds of the output; `nil` for an undamaged source.
  var salvagedSeconds: Double?
  /// The time in seconds by which a copied video exceeds its cut.
  var overrunSeconds = 0.0
  /// The number of frames that were dropped because their times had passed.
  var droppedCount = 0
}

/// The part of the source that becomes the output: output time is source time minus the origin.
struct OutputWindow {
  var originSeconds: Double
  /// The duration that a copy includes before the origin.
  var leadSeconds = 0.0
  /// The end of the part; `nil` for the end of the source.
  var lengthSeconds: Double?

  /// Converts a time to ticks, rounded to the nearest tick.
  static func ticks(_ seconds: Double, in timeBase: Rational) -> Int64 {
    Int64(saturating: (seconds / timeBase.value).rounded())
  }
}

/// Processes the packets of one track.
protocol PacketRoute: AnyObject {
  func process(_ packet: Packet) throws
  /// Writes all buffered data. Call this after the last packet.
  func finish() throws
  /// Stops background work. Has no effect after `finish`.
  func cancel()
  /// The output time that has been reached, in seconds.
  var reachedSeconds: Double { get }
  /// Whether the end of the window has been passed.
  var isComplete: Bool { get }
  /// The number of packets written.
  var writtenCount: Int { get }
  var report: PipelineReport { get }
}

extension PacketRoute {
  func cancel() {}
}
