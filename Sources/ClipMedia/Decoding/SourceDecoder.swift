import ClipModel
import ISOMedia
import LibAV

/// Decodes one track of a source and detects damage. Every pass over a whole track uses it: `validate --deep` and the
/// transcode.
///
/// Damage is an incomplete packet, a decoder error, a frame that the decoder flags, an error that it conceals, and a
/// packet without a frame. Packets before the first key frame of a stream that can start anywhere (MPEG-TS) aren't
/// damage, and neither are frames that refer to a group before the start.
///
/// Confined to one thread.
final class SourceDecoder {
  /// Data that could not be decoded.
  struct Damage {
    /// The presentation time in ticks of the stream; `nil` if unknown.
    var ticks: Int64?
    /// The message of the decoder.
    var why: String
  }

  private let stream: SourceStream
  private let decoder: Decoder
  private let frame: () throws -> Frame
  private let isVideo: Bool
  /// Whether the first packets may depend on missing data.
  private let mayStartAnywhere: Bool
  /// Whether a packet has arrived that can be decoded without others.
  private var hasStarted = false
  /// Whether any frame other than a leading frame has been returned.
  private var hasOutput = false
  /// The time of the first key frame. Frames before it refer to missing ones.
  private var firstTicks = Int64.min
  /// Whether an edit list hides the first packets and they don't start with a key frame, so references may be missing.
  private var startsHidden = false
  private var hasLeadingFrames = false
  /// The times of the frames in the decoder; `nil` if a packet may not be one frame, or has no time.
  private var expected: [Int64]?
  /// The times of the packets that have been sent. A packet with a repeated time has no frame.
  private var seen: Set<Int64> = []
  /// The times of the frames that an edit list hides.
  private var hidden: Set<Int64> = []
  /// The decoding times of the packets in the decoder, for tracks without presentation times (AVI). Frames come out in
  /// presentation order, one for each of these times. `nil` for other tracks.
  private var decodingTicks: [Int64]?
  /// The latest presentation time of any packet.
  private var newestTicks: Int64?

  /// Codecs whose packets are one frame each, except hidden ones (`HiddenFrame`). MPEG-4 Visual has packets for
  /// unchanged frames, and MPEG-2 and interlaced H.264 may have one packet per field.
  private static let singleFrameCodecs: Set<String> = ["h264", "hevc", "vp8", "vp9", "av1", "mjpeg", "prores"]

  /// - Parameter reusesFrame: whether each frame is returned in the same object, for callers that don't keep frames.
  init(
    _ stream: SourceStream, threadCount: Int = 0, skipsNonReferenceDeblocking: Bool = false, reusesFrame: Bool = false
  ) throws {
    self.stream = stream
    decoder = try Decoder(
      stream, threadCount: threadCount,
      toleratesFrameNumberGaps: stream.decoderSetup?.sequence?.allowsFrameNumberGaps ?? false,
      skipsNonReferenceDeblocking: skipsNonReferenceDeblocking)
    isVideo = stream.kind == .video
    mayStartAnywhere = stream.isOfUnindexedContainer
    let isFramePerPacket =
      isVideo && Self.singleFrameCodecs.contains(stream.codecName)
      && (stream.fieldOrder ?? "progressive") == "progressive"
    expected = isFramePerPacket ? [] : nil
    let shared = try Frame()
    frame = reusesFrame ? { shared } : { try Frame() }
  }

  /// Decodes a packet; `nil` at the end.
  /// - Parameters:
  ///   - damage: called for each damaged part. Decoding ends if it throws an error.
  ///   - output: called for each frame. `isHidden` marks frames that an edit list hides.
  func decode(
    _ packet: Packet?, damage: (Damage) throws -> Void, output: (_ frame: Frame, _ isHidden: Bool) throws -> Void
  ) throws {
    if let packet, try !prepare(packet, damage: damage) { return }
    do {
      while try !decoder.send(packet) { try drain(damage, output) }
      try drain(damage, output)
    } catch let error as FFmpegError where error.isDecodingFailure {
      _ = decoder.takeConcealedError()
      if let ticks = packet?.presentationTicks { removeExpected(ticks) }
      if reportsDamage { try damage(Damage(ticks: packet?.presentationTicks, why: error.logLine ?? error.codeText)) }
      if packet == nil { try? drain({ _ in }, output) }
    }
    try reportConcealed(at: packet?.presentationTicks, damage)
    if packet == nil { try reportMissing(damage) }
  }

  /// Whether errors count as damage, because the decoded data is part of the clip.
  private var reportsDamage: Bool {
    !(mayStartAnywhere && !isVideo || hasLeadingFrames || startsHidden) || hasOutput
  }

  /// Records the times and flags of a packet. Returns false if the packet must not be decoded.
  private func prepare(_ packet: Packet, damage: (Damage) throws -> Void) throws -> Bool {
    let ticks = packet.presentationTicks
    if packet.isCorrupt, hasStarted || !mayStartAnywhere {
      try damage(Damage(ticks: ticks, why: "a packet is truncated"))
    }
    guard isVideo else { return true }
    if !hasStarted {
      if mayStartAnywhere, !packet.isKeyFrame { return false }
      hasStarted = true
      if packet.isKeyFrame { firstTicks = ticks ?? .min }
      if stream.codecName == "h264", !NALUnitParser.isIDR(packet, lengthSize: stream.decoderSetup?.lengthSize) {
        decoder.ignoreStartGap()
      }
      startsHidden = packet.isDiscarded && !packet.isKeyFrame
      if ticks == nil { decodingTicks = [] }
    }
    if let ticks = packet.decodingTicks { decodingTicks?.append(ticks) }
    guard let ticks else {
      expected = nil
      return true
    }
    newestTicks = max(newestTicks ?? ticks, ticks)
    if ticks < firstTicks { hasLeadingFrames = true }
    if packet.isDiscarded {
      // The decoder would drop the frame, but it is needed if it lasts into the presentation.
      hidden.insert(ticks)
      packet.isDiscarded = false
    } else if ticks >= firstTicks, expected != nil, !HiddenFrame.isHidden(packet, codec: stream.codecName),
      seen.insert(ticks).inserted
    {
      expected?.append(ticks)
    }
    return true
  }

  private func drain(
    _ damage: (Damage) throws -> Void, _ output: (_ frame: Frame, _ isHidden: Bool) throws -> Void
  ) throws {
    while true {
      let frame = try frame()
      guard try decoder.receive(into: frame) == .produced else { return }
      if decodingTicks?.isEmpty == false { frame.presentationTicks = decodingTicks?.removeFirst() }
      let ticks = frame.presentationTicks
      if let ticks { removeExpected(ticks) }
      if isVideo, let ticks, ticks < firstTicks { continue }
      if !reportsDamage { _ = decoder.takeConcealedError() }
      let isHidden = ticks.map { hidden.remove($0) != nil } ?? false
      if !(startsHidden && isHidden) { hasOutput = true }
      if reportsDamage, frame.isDamaged { try damage(Damage(ticks: ticks, why: "a frame is incomplete")) }
      try reportConcealed(at: ticks, damage)
      try output(frame, isHidden)
    }
  }

  private func removeExpected(_ ticks: Int64) {
    if let index = expected?.firstIndex(of: ticks) { expected?.remove(at: index) }
  }

  /// Worker threads are a few frames ahead, so the error may belong to any frame in the decoder. Report the earliest.
  private func reportConcealed(at ticks: Int64?, _ damage: (Damage) throws -> Void) throws {
    guard let line = decoder.takeConcealedError(), reportsDamage else { return }
    try damage(Damage(ticks: expected?.min() ?? ticks ?? newestTicks, why: line))
  }

  private func reportMissing(_ damage: (Damage) throws -> Void) throws {
    guard let missing = expected, let first = missing.min() else { return }
    expected = []
    let count = missing.count
    try damage(Damage(ticks: first, why: count == 1 ? "a frame is missing" : "\(count) frames are missing"))
  }
}

extension SourceStream {
  /// Whether the container has no index, so that the file may be a part of a longer stream and its first frame may need
  /// earlier ones.
  var isOfUnindexedContainer: Bool { ["mpegts", "mpeg", "h264", "hevc"].contains(containerFormatName) }
}
