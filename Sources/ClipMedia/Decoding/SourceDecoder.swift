import ClipModel
import ISOMedia
import LibAV

/// Decodes one track of a source and detects damage. Used by `validate --deep` and by transcoding.
///
/// Damage is a truncated packet, a decoder error, a frame that the decoder flags as damaged, a concealed error, or a
/// packet that results in no frame. Packets before the first key frame of a stream that can start anywhere (MPEG-TS)
/// don't count as damage, and neither do frames that depend on a group of pictures before the start.
///
/// Confined to one thread.
final class SourceDecoder {
  /// Data that could not be decoded.
  struct Damage {
    /// The presentation time in ticks of the stream's time base, or `nil` if unknown.
    var ticks: Int64?
    /// The decoder's error message.
    var why: String
  }

  private let stream: SourceStream
  private let decoder: Decoder
  private let frame: () throws -> Frame
  private let isVideo: Bool
  /// Whether the stream's first packets may depend on missing data.
  private let mayStartAnywhere: Bool
  /// Whether a packet that can be decoded without other packets has arrived.
  private var hasStarted = false
  /// Whether any frame other than a leading frame has been returned.
  private var hasOutput = false
  /// The presentation time of the first key frame. Frames before that time refer to missing frames.
  private var firstTicks = Int64.min
  /// Whether the edit list hides the first packet and that packet isn't a key frame, so references may be missing.
  private var startsHidden = false
  private var hasLeadingFrames = false
  /// The presentation times of the frames that the decoder hasn't returned yet. `nil` if packets have no timestamps or
  /// may not contain exactly one frame.
  private var expected: [Int64]?
  /// The presentation times of the packets sent so far. A packet with a repeated timestamp results in no frame.
  private var seen: Set<Int64> = []
  /// The presentation times of the frames that the edit list hides.
  private var hidden: Set<Int64> = []
  /// For tracks without presentation times (AVI), the decoding times of the packets in the decoder. The decoder returns
  /// one frame per packet, in presentation order. `nil` for other tracks.
  private var decodingTicks: [Int64]?
  /// The latest presentation time of all packets so far.
  private var newestTicks: Int64?

  /// The codecs whose packets each contain one frame, except for hidden frames (`HiddenFrame`). MPEG-4 Visual isn't
  /// included because it has packets for unchanged frames, and MPEG-2 because it may have one packet per field.
  private static let singleFrameCodecs: Set<String> = ["h264", "hevc", "vp8", "vp9", "av1", "mjpeg", "prores"]

  /// - Parameter reusesFrame: whether every frame is returned in the same `Frame` object, for callers that don't keep
  ///   frames.
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

  /// Decodes a packet. Pass `nil` at the end of the track.
  /// - Parameters:
  ///   - damage: called for each damaged part. If it throws an error, decoding stops.
  ///   - output: called for each frame. `isHidden` is `true` for frames that the edit list hides.
  func decode(
    _ packet: Packet?, damage: (Damage) throws -> Void, output: (_ frame: Frame, _ isHidden: Bool) throws -> Void
  ) throws {
    if let packet, try !recordPacket(packet, damage: damage) { return }
    do {
      while try !decoder.send(packet) { try receiveFrames(damage, output) }
      try receiveFrames(damage, output)
    } catch let error as FFmpegError where error.isDecodingFailure {
      _ = decoder.takeConcealedError()
      if let ticks = packet?.presentationTicks { removeExpectedFrame(ticks) }
      if reportsDamage { try damage(Damage(ticks: packet?.presentationTicks, why: error.logLine ?? error.codeText)) }
      if packet == nil { try? receiveFrames({ _ in }, output) }
    }
    try reportConcealedError(at: packet?.presentationTicks, damage)
    if packet == nil { try reportMissingFrames(damage) }
  }

  /// Whether decoding errors count as damage. If a stream may start with missing references, errors before its first
  /// output don't count.
  private var reportsDamage: Bool {
    !(mayStartAnywhere && !isVideo || hasLeadingFrames || startsHidden) || hasOutput
  }

  /// Records the timestamps and flags of a packet. Returns `false` if the packet must not be decoded.
  private func recordPacket(_ packet: Packet, damage: (Damage) throws -> Void) throws -> Bool {
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
      // Clear the discard flag, because this frame is needed if it is still shown when the presentation starts.
      hidden.insert(ticks)
      packet.isDiscarded = false
    } else if ticks >= firstTicks, expected != nil, !HiddenFrame.isHidden(packet, codec: stream.codecName),
      seen.insert(ticks).inserted
    {
      expected?.append(ticks)
    }
    return true
  }

  private func receiveFrames(
    _ damage: (Damage) throws -> Void, _ output: (_ frame: Frame, _ isHidden: Bool) throws -> Void
  ) throws {
    while true {
      let frame = try frame()
      guard try decoder.receive(into: frame) == .produced else { return }
      if decodingTicks?.isEmpty == false { frame.presentationTicks = decodingTicks?.removeFirst() }
      let ticks = frame.presentationTicks
      if let ticks { removeExpectedFrame(ticks) }
      if isVideo, let ticks, ticks < firstTicks { continue }
      if !reportsDamage { _ = decoder.takeConcealedError() }
      let isHidden = ticks.map { hidden.remove($0) != nil } ?? false
      if !(startsHidden && isHidden) { hasOutput = true }
      if reportsDamage, frame.isDamaged { try damage(Damage(ticks: ticks, why: "a frame is incomplete")) }
      try reportConcealedError(at: ticks, damage)
      try output(frame, isHidden)
    }
  }

  private func removeExpectedFrame(_ ticks: Int64) {
    if let index = expected?.firstIndex(of: ticks) { expected?.remove(at: index) }
  }

  /// Reports an error that the decoder concealed. Decoding threads are a few frames ahead, so the error may belong to
  /// any frame in the decoder, and the earliest one is reported.
  private func reportConcealedError(at ticks: Int64?, _ damage: (Damage) throws -> Void) throws {
    guard let line = decoder.takeConcealedError(), reportsDamage else { return }
    try damage(Damage(ticks: expected?.min() ?? ticks ?? newestTicks, why: line))
  }

  private func reportMissingFrames(_ damage: (Damage) throws -> Void) throws {
    guard let missing = expected, let first = missing.min() else { return }
    expected = []
    let count = missing.count
    try damage(Damage(ticks: first, why: count == 1 ? "a frame is missing" : "\(count) frames are missing"))
  }
}

extension SourceStream {
  /// Whether the container has no index. Such a file may be part of a longer stream, so its first frames may depend on
  /// missing data.
  var isOfUnindexedContainer: Bool { ["mpegts", "mpeg", "h264", "hevc"].contains(containerFormatName) }
}
