import ClipModel
import LibAV
import Privacy

/// Copies packets; only their timestamps move to the output's clock.
final class CopyRoute: PacketRoute {
  private let output: OutputContainer
  private let trackIndex: Int
  private let timeBase: Rational
  private let name: String
  private let origin: Int64
  private let length: Int64?
  /// The duration of the video before the origin that is included because the first shown frame depends on it.
  private let lead: Int64
  private let isVideo: Bool
  private let isLate: Bool
  private let scrubber: FrameScrubber?
  private var scrubbedCount = 0
  private var duration: PacketDuration
  /// Whether the first key frame has arrived, so that frames can be decoded.
  private var hasStarted = false
  /// The latest time of a written frame.
  private var lastTicks = Int64.min
  private var lastDecodingTicks: Int64?
  /// The end of the last written packet.
  private var endSeconds = 0.0
  private(set) var reachedSeconds = 0.0
  private(set) var isComplete = false
  private(set) var writtenCount = 0

  /// The maximum number of packets before the first one with a known decoding time: the reorder limit of H.264 and
  /// HEVC.
  private static let reorderLimit: Int64 = 16

  init(_ stream: SourceStream, output: OutputContainer, window: OutputWindow, name: String) throws {
    isVideo = stream.kind == .video
    duration = PacketDuration(stream)
    // After an empty edit, packets before the start would be heard instead of silence.
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
    // Packets hidden by an edit list aren't copied, with two exceptions that the muxer's own edit list hides: audio
    // decoders need up to three packets before the start, and video needs its key frame. The plan copies no video that
    // hides more than `ClipRules.hiddenSecondsLimit`.
    let isTooEarly = !isVideo && presentation + 3 * packet.durationTicks < 0
    if packet.isDiscarded, isLate || presentation >= 0 || isTooEarly { return }
    if let length {
      // Frames before the end may need a frame that is shown after it, so decoding times decide.
      let isAfter = isVideo ? (packet.decodingTicks ?? ticks) - origin >= length : presentation >= length
      // Frames between two kept frames are kept; otherwise, the last frame would be shown too early.
      if isAfter, !isVideo || presentation >= lastTicks {
        isComplete = true
        return
      }
      // The first packet may start early. The muxer's edit list hides that part, and the lead.
      guard presentation + packet.durationTicks > 0 || lead > 0 && presentation >= -lead else { return }
    }
    guard hasStarted || !isVideo || packet.isKeyFrame else { return }
    hasStarted = true
    if let scrubber, try scrubber.scrub(packet) { scrubbedCount += 1 }
    packet.presentationTicks = presentation
    // libav guesses decoding times that the container doesn't store: the first may be missing, and others may repeat.
    let next = lastDecodingTicks.map { $0 + 1 }
    let decoding = packet.decodingTicks.map { $0 - origin } ?? next ?? presentation - Self.reorderLimit
    packet.decodingTicks = max(decoding, next ?? decoding)
    lastDecodingTicks = packet.decodingTicks
    lastTicks = max(lastTicks, presentation)
    reachedSeconds = Double(presentation) * timeBase.value
    endSeconds = max(endSeconds, Double(presentation + packet.durationTicks) * timeBase.value)
    try output.write(packet, track: trackIndex, timeBase: timeBase)
    writtenCount += 1
  }

  var report: PipelineReport {
    var report = PipelineReport()
    // Frames before the end need frames after it, so the video may be longer than the cut.
    if let length, isVideo { report.overrunSeconds = max(endSeconds - Double(length) * timeBase.value, 0) }
    if scrubbedCount > 0 {
      report.notes.append("removed private messages from \(scrubbedCount) frames; the image data is unchanged")
    }
    let late = Int((report.overrunSeconds * 1000).rounded())
    if late > 0 { report.notes.append("ends \(late) ms after the cut: its last frames depend on later frames") }
    return report
  }

  func finish() throws {}
}
