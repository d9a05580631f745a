import ClipModel
import Foundation
import LibAV

/// Decodes, scales and encodes the packets of a video track, and keeps their exact timestamps. Decodes on the caller's
/// thread; a `FramePipeline` does the rest.
final class VideoRoute: PacketRoute {
  private let settings: VideoRouteSettings
  private let decoder: SourceDecoder
  private let deinterlacer: Deinterlacer?
  private let track: EncodedTrack
  private let pipeline: FramePipeline
  private let analyzer: DecodingAnalyzer?
  private let name: String
  /// The time base of decoded frames.
  private let sourceTimeBase: Rational
  /// The time base of shown frames. A deinterlacer makes it finer.
  private let timeBase: Rational
  private let origin: Int64
  private let length: Int64?
  /// The ticks of one frame at the average rate.
  private let frameTicks: Int64
  private var duration: PacketDuration
  /// The end of the last packet, in ticks of the source.
  private var packetEnd: Int64?
  private var lastTicks: Int64?
  private var shownCount = 0
  /// The last frame before the start of the cut or presentation. It may still be on screen at the start.
  private var frameBeforeStart: Frame?
  private var isPipelineOpen = true
  private(set) var isComplete = false
  private(set) var report = PipelineReport()

  /// Whether damage ends the output early instead of causing an error.
  private var salvages: Bool { settings.plan.salvages ?? false }

  init(
    _ stream: SourceStream, output: OutputContainer, window: OutputWindow, settings: VideoRouteSettings, name: String,
    tap: FrameTap?, analyzer: DecodingAnalyzer? = nil
  ) throws {
    self.settings = settings
    self.name = name
    self.analyzer = analyzer
    duration = PacketDuration(stream)
    sourceTimeBase = stream.timeBase
    deinterlacer = settings.steps.contains(.deinterlace) ? Deinterlacer(timeBase: stream.timeBase) : nil
    let timeBase = deinterlacer?.timeBase ?? stream.timeBase
    self.timeBase = timeBase
    origin = OutputWindow.ticks(window.originSeconds, in: timeBase)
    length = window.lengthSeconds.map { OutputWindow.ticks($0, in: timeBase) }
    frameTicks = max(1, Int64((1 / settings.frameRate.value / timeBase.value).rounded()))
    // More threads than libav's own limit would only use more memory.
    decoder = try SourceDecoder(
      stream, threadCount: min(settings.coreCount, 16), skipsNonReferenceDeblocking: true)
    let (encoder, note) = try settings.encoder(timeBase: timeBase)
    if let note { report.notes.append(note) }
    track = try EncodedTrack(encoder: encoder, output: output, orientation: stream.orientation, tap: tap)
    let layout = settings.layout
    pipeline = FramePipeline(scalerCount: FramePipeline.scalerCount(cores: settings.coreCount), track: track) {
      try FrameScaler(target: layout)
    }
  }

  deinit { cancel() }

  var reachedSeconds: Double { track.reachedSeconds }
  var writtenCount: Int { track.writtenCount }

  private func seconds(_ ticks: Int64) -> Double { Double(ticks) * timeBase.value }

  func process(_ packet: Packet) throws {
    guard !isComplete else { return }
    try salvaging {
      let packetDuration = duration.next(packet)
      if let ticks = packet.presentationTicks, packetDuration > 0 {
        // A damaged file may contain any timestamp, so the sum must not trap.
        packetEnd = max(packetEnd ?? ticks, ticks &+ packetDuration)
      }
      try decode(packet)
    }
  }

  func finish() throws {
    if report.salvagedSeconds == nil {
      try salvaging {
        try decode(nil)
        try deinterlacer?.send(nil)
        try drainDeinterlacer()
        // The last frame of the source lasts through the whole cut.
        if lastTicks == nil, let frame = frameBeforeStart { try push(frame, ticks: 0) }
      }
    }
    if report.salvagedSeconds == nil { endWithTheSource() }
    if report.droppedCount > 0 {
      report.notes.append(
        report.droppedCount == 1
          ? "a frame was dropped because its time had passed"
          : "\(report.droppedCount) frames were dropped because their times had passed")
    }
    isPipelineOpen = false
    try pipeline.finish()
  }

  /// The last frame may last until the end, but not longer than there are packets: a truncated source must not look
  /// complete.
  private func endWithTheSource() {
    guard let packetEnd, let lastTicks else { return }
    let ticks = Timestamp(ticks: packetEnd, timeBase: sourceTimeBase).rescaled(to: timeBase).ticks - origin
    let plannedEnd = Int64((settings.endSeconds / timeBase.value).rounded())
    // libav shortens the last packet by the length of an initial empty edit.
    track.end(at: settings.isLengthExact && !salvages ? plannedEnd : min(ticks, plannedEnd))
    guard salvages, ticks < plannedEnd - 2 * frameTicks else { return }
    let kept = seconds(max(ticks, lastTicks + frameTicks))
    report.salvagedSeconds = kept
    report.notes.append("ends at \(decimal(kept)) s: the source is truncated there")
  }

  func cancel() {
    guard isPipelineOpen else { return }
    isPipelineOpen = false
    pipeline.cancel()
  }

  /// Runs `body`. If damage is salvaged, it ends the output there.
  private func salvaging(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch ClipMediaError.damaged(let name, let damagedSeconds, let why) {
      // Frames after the damage were never shown, so the output ends with the last frame before it.
      let kept = lastTicks.map { seconds($0 + frameTicks) } ?? 0
      guard salvages, kept > 0 else { throw ClipMediaError.damaged(name: name, seconds: damagedSeconds, why: why) }
      isComplete = true
      report.salvagedSeconds = kept
      report.notes.append("ends at \(decimal(kept)) s: the source is damaged there (\(why))")
    }
  }

  private func decode(_ packet: Packet?) throws {
    try decoder.decode(packet) { damage in
      // Frames decoded after the end of a cut aren't part of it.
      guard !isComplete else { return }
      // If its time is unknown, the damage is after the last frame.
      let damagedSeconds =
        damage.ticks.map { Double($0) * sourceTimeBase.value - seconds(origin) } ?? lastTicks.map(seconds) ?? 0
      throw ClipMediaError.damaged(name: name, seconds: max(damagedSeconds, 0), why: damage.why)
    } output: { frame, isHidden in
      guard !isComplete else { return }
      if isHidden {
        guard length == nil, deinterlacer == nil, let ticks = frame.presentationTicks, ticks < origin else { return }
        frameBeforeStart = frame
      } else if let deinterlacer {
        try deinterlacer.send(frame)
        try drainDeinterlacer()
      } else {
        try show(frame)
      }
    }
  }

  private func drainDeinterlacer() throws {
    while let frame = try deinterlacer?.receive() { try show(frame) }
  }

  private func show(_ frame: Frame) throws {
    guard let source = frame.presentationTicks, !isComplete else { return }
    let ticks = source - origin
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
    try push(frame, ticks: ticks)
  }

  private func push(_ frame: Frame, ticks: Int64) throws {
    lastTicks = ticks
    try analyzer?.analyze(frame, seconds: seconds(ticks))
    try pipeline.push(TimedFrame(frame: frame, ticks: ticks))
  }
}
