import ClipModel
import LibAV
import Privacy

/// Copies packets unchanged, except for their timestamps, which become relative to the start of the output.
final class CopyRoute: PacketRoute {
  private let output: any MovieOutput
  private let trackIndex: Int
  private let timeBase: Rational
  private let name: String
  private let origin: Int64
  private let length: Int64?
  /// The duration of the video before the origin that is copied because the first shown frame depends on it.
  private let lead: Int64
  private let isVideo: Bool
  private let isLate: Bool
  private let scrubber: FrameScrubber?
  private var scrubbedCount = 0
  private var duration: PacketDuration
  /// Whether the first key frame has arrived, so that the following frames can be decoded.
  private var hasStarted = false
  /// The latest presentation time of all written frames.
  private var lastTicks = Int64.min
  private var lastDecodingTicks: Int64?
  /// The latest end time of all written packets.
  private var endSeconds = 0.0
  private(set) var reachedSeconds = 0.0
  private(set) var isComplete = false
  private(set) var writtenCount = 0

  /// The maximum number of packets before the first packet with a known decoding time, which is the reorder limit of
  /// H.264 and HEVC.
  private static let reorderLimit: Int64 = 16

  init(_ stream: SourceStream, output: any MovieOutput, window: OutputWindow, name: String) throws {
    isVideo = stream.kind == .video
    duration = PacketDuration(stream)
    // After an empty edit, packets before the start would be audible instead of silence.
    isLate = stream.kind == .audio && (stream.start?.seconds ?? 0) - window.originSeconds > 0.1
    self.name = name
    self.output = output
    trackIndex = try output.addTrack(copying: stream)
    var options = StripOptions()
    options.removesIdentifiers = true
    scrubber = isVideo ? FrameScrubber(stream, options: options) : nil
    let timeBase = stream.timeBase
    self.timeBase = timeBase
    origin = OutputWindow.ticks(window.originSeconds, in: timeBase)
    length = window.lengthSeconds.map { OutputWindow.ticks($0, in: timeBase) }
    lead = isVideo ? OutputWindow.ticks(window.leadSeconds, in: timeBase) : 0
  }

  func process(_ packet: Packet) throws {
    guard !isComplete else { return }
    if isVideo { packet.durationTicks = duration.next(packet) }
    if packet.isCorrupt {
      throw ClipMediaError.damaged(name: name, seconds: reachedSeconds, why: "a packet is truncated")
    }
    guard let ticks = packet.presentationTicks else {
      throw ClipMediaError.damaged(name: name, seconds: reachedSeconds, why: "a packet has no presentation time")
    }
    let presentation = ticks - origin
    // Packets that the edit list hides aren't copied, except for up to three audio packets before the start and the key
    // frame of the video, which decoders need and the output's edit list hides. Video with more than
    // `ClipRules.hiddenSecondsLimit` of hidden frames is never copied.
    let isTooEarly = !isVideo && presentation + 3 * packet.durationTicks < 0
    if packet.isDiscarded, isLate || presentation >= 0 || isTooEarly { return }
    if let length {
      // Compare decoding times, because frames before the end may depend on a frame that is shown after the end.
      let isAfter = isVideo ? (packet.decodingTicks ?? ticks) - origin >= length : presentation >= length
      // Keep frames between two kept frames. Otherwise, the last frame would be shown too early.
      if isAfter, !isVideo || presentation >= lastTicks {
        isComplete = true
        return
      }
      // The first packet may start before the cut. The output's edit list hides that part and the lead.
      guard presentation + packet.durationTicks > 0 || lead > 0 && presentation >= -lead else { return }
    }
    guard hasStarted || !isVideo || packet.isKeyFrame else { return }
    hasStarted = true
    if let scrubber, try scrubber.scrub(packet) { scrubbedCount += 1 }
    packet.presentationTicks = presentation
    // libav guesses decoding times that the container doesn't store. The first ones may be missing, and others may be
    // duplicates.
    let next = lastDecodingTicks.map { $0 + 1 }
    let decoding = packet.decodingTicks.map { $0 - origin } ?? next ?? presentation - Self.reorderLimit
    packet.decodingTicks = max(decoding, next ?? decoding)
    lastDecodingTicks = packet.decodingTicks
    // Audio isn't reordered, so a packet that repeats a time is decoded and presented one tick later.
    if !isVideo { packet.presentationTicks = max(presentation, packet.decodingTicks ?? presentation) }
    lastTicks = max(lastTicks, presentation)
    reachedSeconds = Double(presentation) * timeBase.value
    endSeconds = max(endSeconds, Double(presentation + packet.durationTicks) * timeBase.value)
    try output.write(packet, track: trackIndex, timeBase: timeBase)
    writtenCount += 1
  }

  var report: PipelineReport {
    var report = PipelineReport()
    // The video may be longer than the cut, because frames before the end may depend on frames after the end.
    if let length, isVideo { report.overrunSeconds = max(endSeconds - Double(length) * timeBase.value, 0) }
    if scrubbedCount > 0 { report.notes.append(.framesScrubbed(count: scrubbedCount)) }
    let late = Int((report.overrunSeconds * 1000).rounded())
    if late > 0 { report.notes.append(.cutOverrun(milliseconds: late)) }
    return report
  }

  func finish() throws {}
}
