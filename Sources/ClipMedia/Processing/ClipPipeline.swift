import ClipModel
import Foundation
import LibAV

/// Converts a source to an MP4. Packets from the demuxer are either copied, or decoded, scaled and re-encoded, and then
/// passed to the muxer.
///
/// Reading and decoding run on one thread, scaling and encoding on other threads (`FramePipeline`), and codecs also use
/// their own threads. The pipeline only executes a plan and makes no decisions.
final class ClipPipeline {
  private let run: ProcessingRun
  private let input: InputContainer
  /// A separate demuxer for the audio of an encode that continues: the audio is encoded again from its start.
  private let audioInput: InputContainer?
  private let output: any MovieOutput
  private let video: any PacketRoute
  private let audio: (any PacketRoute)?
  private let analyzer: DecodingAnalyzer?
  private var notes: [ProcessingNote] = []
  private let audioPacket: Packet
  /// The time in the output that the packets of `audioInput` have reached.
  private var audioSeconds = -Double.infinity

  private var plan: ProcessingPlan { run.plan }

  /// - Parameters:
  ///   - run: the source, the plan and the output file.
  ///   - encoding: the plan's encoding settings, or tighter settings for another attempt.
  ///   - tap: receives every frame to be encoded. Not used for copied video.
  ///   - analyzer: receives the audio, and every decoded frame that becomes part of the output.
  init(
    _ run: ProcessingRun, encoding: VideoEncoding?, tap: FrameTap? = nil, analyzer: DecodingAnalyzer? = nil
  ) throws {
    let (plan, probe) = (run.plan, run.source.probe)
    let shared = plan.trim == nil ? nil : run.opened
    let opened = try shared ?? run.source.openContainer(plan.analysis, interruption: run.interruption)
    let origin = opened.originSeconds + (plan.trim?.lowerBound ?? 0)
    let checkpoint = encoding == nil ? nil : run.checkpoint
    let seam = checkpoint?.seam
    var settings: VideoRouteSettings?
    if case .transcode(let index, let steps, let planned) = plan.video {
      var transcode = VideoRouteSettings(
        try opened.stream(index), steps: steps, encoding: encoding ?? planned, plan: plan, coreCount: run.coreCount)
      // The length is exact because the sample table contains the end of the last frame.
      transcode.isLengthExact =
        probe.mainVideo?.shownFrameCount != nil && opened.hasTrackDurations && plan.trim == nil
      if plan.trim == nil { transcode.endSeconds += opened.leadSeconds(of: index) }
      // Cutting seeks in the container that is already open. A new container is positioned at its first packet.
      transcode.firstFrame = try FirstFrame.read(
        in: try shared ?? run.source.openContainer(.whenNeeded, interruption: run.interruption),
        isAtStart: shared == nil, trackIndex: index, startSeconds: origin, target: transcode.layout,
        interruption: run.interruption)
      settings = transcode
    }
    let frameAnalyzer = analyzer.flatMap { $0.analyzesFrames ? $0 : nil }
    let output = try run.makeOutput()
    if let date = probe.captureDate { output.setCaptureDate(date) }
    let window = OutputWindow(
      originSeconds: origin, leadSeconds: plan.leadSeconds ?? 0,
      lengthSeconds: plan.trim.map { $0.upperBound - $0.lowerBound })
    var videoWindow = window
    let start = probe.videoTracks.first { $0.index == plan.video.trackIndex }?.startSeconds
    if opened.hasTrackDurations, let start, let moved = try opened.stream(plan.video.trackIndex).start?.seconds {
      // libav ignores an edit list that delays a track, but the sample table contains the actual start. If the start is
      // negative, the first frame begins before its edit, and no correction is needed.
      videoWindow.originSeconds -= max(start - max(moved, 0), 0)
    }
    // Start reading at a key frame before the first frame of the cut, or before the seam. Other containers may have
    // different timestamps after a seek.
    var startSeconds = plan.trim == nil ? nil : origin
    if let seam, opened.hasTrackDurations || opened.formatName.contains("matroska") {
      // A deinterlacer needs earlier frames.
      startSeconds = videoWindow.originSeconds + seam.warmUpSeconds - 1
    }
    let input =
      try startSeconds.map {
        try opened.positionedAtKeyFrame(
          before: $0, stream: opened.stream(plan.video.trackIndex), interruption: run.interruption)
      } ?? opened
    let stream = try input.stream(plan.video.trackIndex)
    if let settings {
      video = try VideoRoute(
        stream, output: output, window: videoWindow, settings: settings, name: input.name, tap: tap,
        analyzer: seam == nil ? frameAnalyzer : nil, checkpoint: checkpoint)
    } else {
      video = try CopyRoute(stream, output: output, window: videoWindow, name: input.name)
    }
    let audioInput = seam == nil || plan.audio == nil ? nil : try run.openAudioContainer(startSeconds: origin)
    let audioSource = audioInput ?? input
    switch plan.audio {
    case nil: audio = nil
    case .copy(let index):
      let stream = try audioSource.stream(index)
      analyzer?.prepareCopiedAudio(stream, originSeconds: origin)
      audio = try CopyRoute(stream, output: output, window: window, name: input.name)
    case .encode(let index, let channelCount, let sampleRate, let bitsPerSecond):
      do {
        audio = try AudioRoute(
          try audioSource.stream(index), output: output, window: window, endSeconds: plan.durationSeconds,
          encoder: Encoder(aacChannelCount: channelCount, sampleRate: sampleRate, bitsPerSecond: bitsPerSecond),
          analyzer: frameAnalyzer)
      } catch let error as FFmpegError where error.isUnusableDecoder {
        audio = nil
        notes.append(.audioUndecodable(track: index))
      }
    }
    self.analyzer = analyzer
    audioPacket = try Packet()
    self.input = input
    self.audioInput = audioInput
    self.output = output
    self.run = run
    let audioTrack = Set([plan.audio?.trackIndex].compactMap(\.self))
    audioInput?.select(audioTrack)
    input.select(audioInput == nil ? audioTrack.union([plan.video.trackIndex]) : [plan.video.trackIndex])
  }

  /// Writes the entire output. When this method returns, the output file is a complete MP4.
  func write() throws -> PipelineReport {
    // If an error is thrown, no thread may continue to write.
    defer { video.cancel() }
    try output.writeHeader()
    try video.writeStoredPackets {
      try run.interruption.check()
      try processAudio(until: video.reachedSeconds)
    }
    let packet = try Packet()
    // Packets arrive in decoding order, so their presentation times aren't ascending.
    var reached = 0.0
    while try input.read(into: packet) {
      try run.interruption.check()
      if packet.streamIndex == plan.video.trackIndex {
        try video.process(packet)
        reached = max(reached, min(video.reachedSeconds / max(plan.durationSeconds, 0.001), 1))
        run.progress(reached)
        try processAudio(until: video.reachedSeconds)
      } else {
        try processAudio(packet)
      }
      let isAudioComplete = audioInput != nil || audio?.isComplete ?? true
      if video.isComplete, video.report.salvagedSeconds != nil || isAudioComplete || isFarPastCut(packet) { break }
    }
    try processAudio(until: video.report.salvagedSeconds ?? .infinity)
    try video.finish()
    try audio?.finish()
    try analyzer?.processCopiedAudio(nil)
    guard video.writtenCount > 0 else { throw ClipMediaError.noFrames(name: input.name) }
    try output.finish()
    var report = video.report
    report.hasAudio = (audio?.writtenCount ?? 0) > 0
    report.streamedDigest = (output as? StreamedOutput)?.sha256
    report.notes = notes + report.notes + (audio?.report.notes ?? [])
    if !report.hasAudio, audio != nil { report.notes.append(.audioMissing) }
    run.progress(1)
    return report
  }

  private func processAudio(_ packet: Packet) throws {
    guard packet.streamIndex == plan.audio?.trackIndex, let audio else { return }
    if !audio.isComplete { try analyzer?.processCopiedAudio(packet) }
    try audio.process(packet)
  }

  /// Processes the packets of `audioInput` up to a time in the output, so that the tracks stay interleaved.
  private func processAudio(until seconds: Double) throws {
    guard let audioInput, let audio else { return }
    while audioSeconds <= seconds, !audio.isComplete {
      guard try audioInput.read(into: audioPacket), !isFarPastCut(audioPacket) else {
        audioSeconds = .infinity
        return
      }
      try run.interruption.check()
      if let ticks = audioPacket.decodingTicks ?? audioPacket.presentationTicks {
        let timeBase = try audioInput.stream(audioPacket.streamIndex).timeBase
        audioSeconds = Double(ticks) * timeBase.value - audioInput.originSeconds - (plan.trim?.lowerBound ?? 0)
      }
      try processAudio(audioPacket)
    }
  }

  /// Whether the packet is far past the end of the cut. An audio track that ends early never becomes complete, and this
  /// check prevents reading the remainder of a long match.
  private func isFarPastCut(_ packet: Packet) -> Bool {
    guard let trim = plan.trim, let ticks = packet.decodingTicks ?? packet.presentationTicks,
      let stream = try? input.stream(packet.streamIndex)
    else { return false }
    // In interleaved files, packets of all tracks for the same time are within a few seconds of each other.
    return Double(ticks) * stream.timeBase.value > trim.upperBound + input.originSeconds + 10
  }
}

extension ProcessingPlan {
  /// How thoroughly a source is analyzed when it is opened for this plan. HDR output needs the color properties before
  /// the first frame is decoded.
  var analysis: InputContainer.Analysis { video.encoding?.codec == .hevcHDR ? .always : .whenNeeded }
}

/// A pipeline's report on its output.
struct PipelineReport {
  var notes: [ProcessingNote] = []
  var hasAudio = true
  /// The end of the intact part of a damaged source, in seconds of output time. `nil` if the source isn't damaged.
  var salvagedSeconds: Double?
  /// The number of seconds by which copied video exceeds the requested cut.
  var overrunSeconds = 0.0
  /// The number of frames that were dropped because their timestamps weren't later than the previous frame's.
  var droppedCount = 0
  /// The SHA-256 of the bytes that were written, if they can be sent before the output is complete.
  var streamedDigest: String?
}

/// The part of the source that becomes the output. Output times are source times minus the origin.
struct OutputWindow {
  var originSeconds: Double
  /// The duration of the video before the origin that copying includes.
  var leadSeconds = 0.0
  /// The length of the part, or `nil` if it extends to the end of the source.
  var lengthSeconds: Double?

  /// Converts a time in seconds to ticks, rounded to the nearest tick.
  static func ticks(_ seconds: Double, in timeBase: Rational) -> Int64 {
    Int64(saturating: (seconds / timeBase.value).rounded())
  }
}

/// Processes the packets of one track.
protocol PacketRoute: AnyObject {
  func process(_ packet: Packet) throws
  /// Writes the packets that an interrupted encode stored. Call this method before the first call of `process(_:)`.
  /// - Parameter afterEach: called after each packet.
  func writeStoredPackets(_ afterEach: () throws -> Void) throws
  /// Writes all buffered data. Call this method after the last packet.
  func finish() throws
  /// Stops all background work. Has no effect after `finish()`.
  func cancel()
  /// The time in the output that has been reached, in seconds.
  var reachedSeconds: Double { get }
  /// Whether a packet past the end of the output window has arrived.
  var isComplete: Bool { get }
  /// The number of packets written.
  var writtenCount: Int { get }
  var report: PipelineReport { get }
}

extension PacketRoute {
  func writeStoredPackets(_: () throws -> Void) throws {}
  func cancel() {}
}
