import ClipModel
import Foundation
import LibAV

/// Decodes, scales and encodes the packets of a video track, and preserves their exact timestamps. Decoding runs on the
/// caller's thread, and scaling and encoding in a `FramePipeline`.
final class VideoRoute: PacketRoute {
  private let settings: VideoRouteSettings
  private let decoder: SourceDecoder
  private let deinterlacer: Deinterlacer?
  private let track: EncodedTrack
  private let pipeline: FramePipeline
  private let analyzer: DecodingAnalyzer?
  private let name: String
  /// The time base of the decoded frames.
  private let sourceTimeBase: Rational
  /// The time base of the shown frames, which is finer than the source's if the video is deinterlaced.
  private let timeBase: Rational
  private let origin: Int64
  private let length: Int64?
  /// The duration of a frame at the average frame rate, in ticks.
  private let frameTicks: Int64
  /// The point at which an interrupted encode continues. Frames before that point are decoded, but not encoded.
  private let seam: EncodingSeam?
  /// The presentation times of the frames that the new encoder must encode again before the seam.
  private var warmUpTicks: Set<Int64>
  private let checkpoint: EncodingCheckpoint?
  private var duration: PacketDuration
  /// The end of the last packet, in ticks of the source's time base.
  private var packetEnd: Int64?
  private var lastTicks: Int64?
  private var shownCount = 0
  /// The last frame before the start of the cut or presentation, which may still be shown at the start.
  private var frameBeforeStart: Frame?
  private var isPipelineOpen = true
  private(set) var isComplete = false
  private(set) var report = PipelineReport()

  /// Whether the output ends early at damaged video instead of failing with an error.
  private var salvages: Bool { settings.plan.salvages ?? false }

  init(
    _ stream: SourceStream, output: any MovieOutput, window: OutputWindow, settings: VideoRouteSettings, name: String,
    tap: FrameTap?, analyzer: DecodingAnalyzer? = nil, checkpoint: EncodingCheckpoint? = nil
  ) throws {
    self.settings = settings
    self.checkpoint = checkpoint
    seam = checkpoint?.seam
    warmUpTicks = Set(seam?.warmUpTicks ?? [])
    lastTicks = seam?.warmUpTicks.last
    report.droppedCount = seam?.droppedCount ?? 0
    self.name = name
    self.analyzer = analyzer
    duration = PacketDuration(stream)
    sourceTimeBase = stream.timeBase
    deinterlacer = try settings.steps.contains(.deinterlace) ? Deinterlacer(timeBase: stream.timeBase) : nil
    let timeBase = deinterlacer?.timeBase ?? stream.timeBase
    self.timeBase = timeBase
    origin = OutputWindow.ticks(window.originSeconds, in: timeBase)
    length = window.lengthSeconds.map { OutputWindow.ticks($0, in: timeBase) }
    frameTicks = max(1, Int64((1 / settings.frameRate.value / timeBase.value).rounded()))
    // libav uses at most 16 threads. A higher count would only use more memory.
    decoder = try SourceDecoder(
      stream, threadCount: min(settings.coreCount, 16), skipsNonReferenceDeblocking: true)
    let (encoder, note) = try settings.makeEncoder(timeBase: timeBase)
    if let note { report.notes.append(note) }
    track = try EncodedTrack(
      encoder: encoder, output: output, orientation: stream.orientation, tap: tap,
      schedule: settings.makeKeyFrameSchedule(timeBase: encoder.timeBase), checkpoint: checkpoint)
    let layout = settings.layout
    pipeline = FramePipeline(scalerCount: FramePipeline.scalerCount(cores: settings.coreCount), track: track) {
      try FrameScaler(target: layout)
    }
  }

  deinit { cancel() }

  var reachedSeconds: Double { track.reachedSeconds }
  var writtenCount: Int { track.writtenCount }

  private func convertToSeconds(_ ticks: Int64) -> Double { Double(ticks) * timeBase.value }

  func writeStoredPackets(_ afterEach: () throws -> Void) throws {
    guard seam != nil else { return }
    try checkpoint?.readPackets { packet in
      try track.writeStored(packet)
      try afterEach()
    }
  }

  func process(_ packet: Packet) throws {
    guard !isComplete else { return }
    try salvageDamage {
      let packetDuration = duration.next(packet)
      if let ticks = packet.presentationTicks, packetDuration > 0 {
        // A damaged file may contain any timestamp, so the addition must not trap on overflow.
        packetEnd = max(packetEnd ?? ticks, ticks &+ packetDuration)
      }
      try decode(packet)
    }
  }

  func finish() throws {
    if report.salvagedSeconds == nil {
      try salvageDamage {
        try decode(nil)
        try deinterlacer?.send(nil)
        try showDeinterlacedFrames()
        // The source's last frame is shown for the entire cut.
        if lastTicks == nil, let frame = frameBeforeStart { try push(frame, ticks: 0) }
      }
    }
    // The stored GOPs end before the last frame.
    if isBeforeSeam { throw EncodingCheckpoint.Mismatch() }
    if report.salvagedSeconds == nil { setEndOfLastFrame() }
    if report.droppedCount > 0 { report.notes.append(.framesDropped(count: report.droppedCount)) }
    isPipelineOpen = false
    try pipeline.finish()
  }

  /// Sets the end of the last frame to the planned end, but not past the last packet, so that a truncated source
  /// doesn't appear complete.
  private func setEndOfLastFrame() {
    guard let packetEnd, let lastTicks else { return }
    let ticks = Timestamp(ticks: packetEnd, timeBase: sourceTimeBase).rescaled(to: timeBase).ticks - origin
    let plannedEnd = Int64((settings.endSeconds / timeBase.value).rounded())
    // If the length is exact, ignore the last packet, because libav shortens it by the length of an initial empty edit.
    track.setEnd(at: settings.isLengthExact && !salvages ? plannedEnd : min(ticks, plannedEnd))
    guard salvages, ticks < plannedEnd - 2 * frameTicks else { return }
    let kept = convertToSeconds(max(ticks, lastTicks + frameTicks))
    report.salvagedSeconds = kept
    report.notes.append(.sourceTruncated(seconds: kept))
  }

  func cancel() {
    guard isPipelineOpen else { return }
    isPipelineOpen = false
    pipeline.cancel()
  }

  /// Runs `body`. If it fails because of damage and damaged clips are salvaged, ends the output at the damage.
  private func salvageDamage(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch ClipMediaError.damaged(let name, let damagedSeconds, let why) {
      // Frames after the damage haven't been output, so the output ends with the last frame before the damage.
      let kept = lastTicks.map { convertToSeconds($0 + frameTicks) } ?? 0
      guard salvages, kept > 0 else { throw ClipMediaError.damaged(name: name, seconds: damagedSeconds, why: why) }
      isComplete = true
      report.salvagedSeconds = kept
      report.notes.append(.sourceDamaged(seconds: kept, why: why))
    }
  }

  private func decode(_ packet: Packet?) throws {
    try decoder.decode(packet) { damage in
      // Ignore damage in frames that are decoded after the end of the cut, or again before the seam.
      guard !isComplete, !isBeforeSeam(damage.ticks) else { return }
      // If the time of the damage is unknown, assume that it follows the last frame.
      let damagedSeconds =
        damage.ticks.map { Double($0) * sourceTimeBase.value - convertToSeconds(origin) } ?? lastTicks.map(
          convertToSeconds) ?? 0
      throw ClipMediaError.damaged(name: name, seconds: max(damagedSeconds, 0), why: damage.why)
    } output: { frame, isHidden in
      guard !isComplete else { return }
      if isHidden {
        guard length == nil, deinterlacer == nil, seam == nil, let ticks = frame.presentationTicks, ticks < origin
        else { return }
        frameBeforeStart = frame
      } else if let deinterlacer {
        try deinterlacer.send(frame)
        try showDeinterlacedFrames()
      } else {
        try show(frame)
      }
    }
  }

  /// Whether the seam's first frame hasn't been decoded yet.
  private var isBeforeSeam: Bool { seam.map { $0.warmUpTicks.last == lastTicks } ?? false }

  /// - Parameter ticks: a time in the source's time base. If it is unknown, the last decoded frame decides.
  private func isBeforeSeam(_ ticks: Int64?) -> Bool {
    guard let seam else { return false }
    guard let ticks else { return isBeforeSeam }
    return Timestamp(ticks: ticks, timeBase: sourceTimeBase).rescaled(to: timeBase).ticks - origin < seam.ticks
  }

  private func showDeinterlacedFrames() throws {
    while let frame = try deinterlacer?.receive() { try show(frame) }
  }

  private func show(_ frame: Frame) throws {
    guard let source = frame.presentationTicks, !isComplete else { return }
    let ticks = source - origin
    var isAtSeam = false
    if let seam, isBeforeSeam {
      guard ticks >= seam.ticks else {
        if warmUpTicks.remove(ticks) != nil { try pipeline.push(TimedFrame(frame: frame, ticks: ticks)) }
        return
      }
      guard ticks == seam.ticks, warmUpTicks.isEmpty else { throw EncodingCheckpoint.Mismatch() }
      isAtSeam = true
    }
    if length != nil, ticks < 0 {
      frameBeforeStart = frame
      return
    }
    if let opening = frameBeforeStart {
      frameBeforeStart = nil
      if ticks > (length == nil ? 0 : frameTicks) || ticks >= length ?? .max { try push(opening, ticks: 0) }
    }
    if ticks >= length ?? .max {
      isComplete = true
      return
    }
    defer { shownCount += 1 }
    guard shownCount % max(settings.encoding.frameRateDivisor, 1) == 0 else { return }
    if let lastTicks, ticks <= lastTicks {
      report.droppedCount += 1
      return
    }
    try push(frame, ticks: ticks, isAtSeam: isAtSeam)
  }

  private func push(_ frame: Frame, ticks: Int64, isAtSeam: Bool = false) throws {
    lastTicks = ticks
    try analyzer?.analyze(frame, seconds: convertToSeconds(ticks))
    try pipeline.push(
      TimedFrame(frame: frame, ticks: ticks, droppedCount: report.droppedCount, isAtSeam: isAtSeam))
  }
}
