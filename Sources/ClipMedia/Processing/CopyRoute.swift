import ClipModel
import LibAV
import Privacy

/// Packets that go on as they are; only their timestamps move to the output's clock.
final class CopyRoute: PacketRoute {
  private let output: OutputContainer
  private let trackIndex: Int
  private let timeBase: Rational
  private let name: String
  private let origin: Int64
  private let length: Int64?
  /// Of the picture, before the origin: what its first shown picture is made of.
  private let lead: Int64
  private(set) var reachedSeconds = 0.0
  private(set) var isComplete = false
  private(set) var writtenCount = 0
  private let scrubber: PictureScrubber?
  private var scrubbedCount = 0
  /// The latest time of a picture that was written.
  private var lastTicks = Int64.min
  /// Of the last packet that was written.
  private var endSeconds = 0.0

  private var lastDecodingTicks: Int64?
  /// Packets in front of the first one whose decoding time is known: as many as H.264 and HEVC may reorder.
  private static let reorderLimit: Int64 = 16
  private let isVideo: Bool
  private var duration: PacketDuration
  private let isLate: Bool
  /// A picture can be decoded from here on: the first one was a key frame.
  private var hasBegun = false

  init(_ stream: SourceStream, output: OutputContainer, window: OutputWindow, name: String) throws {
    isVideo = stream.kind == .video
    duration = PacketDuration(stream)
    // Behind an empty edit, packets before the start would be heard where there is to be silence.
    isLate = stream.kind == .audio && (stream.start?.seconds ?? 0) - window.originSeconds > 0.1
    self.name = name
    self.output = output
    trackIndex = try output.addTrack(copying: stream)
    var options = StripOptions()
    options.removesIdentifiers = true
    scrubber = stream.kind == .video ? PictureScrubber(stream, options: options) : nil
    timeBase = stream.timeBase
    origin = window.origin(in: timeBase)
    length = window.length(in: timeBase)
    lead = stream.kind == .video ? window.lead(in: timeBase) : 0
  }

  func take(_ packet: Packet) throws {
    guard !isComplete else { return }
    if isVideo { packet.durationTicks = duration.next(packet) }
    if packet.isCorrupt {
      throw ClipMediaError.damaged(name: name, seconds: reachedSeconds, why: "a packet is cut short")
    }
    guard let ticks = packet.presentationTicks else {
      throw ClipMediaError.damaged(name: name, seconds: reachedSeconds, why: "a packet has no presentation time")
    }
    let presentation = ticks - origin
    // What an edit list hides is not copied. Exceptions, which the muxer's own edit list hides: audio decoders need up
    // to three packets before the start, and video needs its key frame. The plan copies no video of which more than
    // `ClipRules.hiddenSecondsLimit` is hidden.
    let isTooEarly = !isVideo && presentation + 3 * packet.durationTicks < 0
    if packet.isDiscarded, isLate || presentation >= 0 || isTooEarly { return }
    if let length {
      // Pictures in front of the end may need one that is shown behind it: what is decoded later than the end is not.
      let isBehind = isVideo ? (packet.decodingTicks ?? ticks) - origin >= length : presentation >= length
      // But pictures between two that are kept go along: without them the last one would come too early.
      if isBehind, !isVideo || presentation >= lastTicks {
        isComplete = true
        return
      }
      // Whole packets: the first one may begin a little early; the muxer's edit list hides that part, as it hides the
      // lead.
      guard presentation + packet.durationTicks > 0 || lead > 0 && presentation >= -lead else { return }
    }
    // Without its key frame no picture is one.
    guard hasBegun || !isVideo || packet.isKeyFrame else { return }
    hasBegun = true
    if let scrubber, try scrubber.scrub(packet) { scrubbedCount += 1 }
    packet.presentationTicks = presentation
    // Decoding times that a container does not keep are guesses of libav's: the first ones may be missing, others repeat.
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

  /// How much longer than wanted the picture is shown: pictures in front of the end need those behind it.
  var overrunSeconds: Double {
    guard let length, isVideo else { return 0 }
    return max(endSeconds - Double(length) * timeBase.value, 0)
  }

  var notes: [String] {
    var notes: [String] = []
    if scrubbedCount > 0 {
      notes.append("private messages were cut out of \(scrubbedCount) pictures; the pictures are the same")
    }
    let late = Int((overrunSeconds * 1000).rounded())
    if late > 0 { notes.append("ends \(late) ms after the cut: its last pictures need those behind them") }
    return notes
  }

  func finish() throws {}
}
