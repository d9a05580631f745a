import ClipModel
import ISOMedia
import LibAV

/// Decodes one track of a source and decides what counts as damage. Every pass over a whole track uses it:
/// `validate --deep` and the transcode.
///
/// Damage is an incomplete packet, a decoder error, a frame that the decoder flags, an error that it conceals, and a
/// packet without its picture. Packets before the first key frame of a stream that can start anywhere (MPEG-TS) aren't
/// damage, and neither are pictures that refer to a group before the start.
///
/// Confined to one thread.
final class SourceDecoder {
  /// What could not be decoded.
  struct Damage {
    /// When it would be shown, in ticks of the stream; `nil` when unknown.
    var ticks: Int64?
    /// In the decoder's words.
    var why: String
  }

  private let stream: SourceStream
  private let decoder: Decoder
  private let frame: () throws -> Frame
  private let isVideo: Bool
  /// The first packets may belong to something that was cut off.
  private let mayBeginAnywhere: Bool
  /// The first packet that can be decoded by itself has come.
  private var hasBegun = false
  /// A picture or sound has come out that is none of the leading ones.
  private var hasOutput = false
  /// When the first key frame is shown; pictures before it refer to what is missing.
  private var firstTicks = Int64.min
  /// An edit list hides the first packets, and they start with no key frame: what they refer to may be gone.
  private var beginsHidden = false
  /// There are such pictures.
  private var hasLeadingPictures = false
  /// When the pictures in the decoder are shown; `nil` where one packet is not one picture, or has no time.
  private var expected: [Int64]?
  /// Times of packets so far: one with the time of another one holds no picture of its own.
  private var seen: Set<Int64> = []
  /// When the pictures are shown that an edit list hides.
  private var hidden: Set<Int64> = []
  /// When the packets in the decoder are decoded, where they do not say when they are shown (AVI): the frames come out
  /// in the order in which they are shown, one for each of these times. `nil` for tracks with presentation times.
  private var decodingTicks: [Int64]?
  /// The latest time of a packet.
  private var newestTicks: Int64?

  /// Codecs of which one packet is one picture, hidden ones (`HiddenPicture`) left aside. In MPEG-4 Visual a packet may
  /// say that nothing changes; fields of MPEG-2 and interlaced H.264 may come one by one.
  private static let onePictureEach: Set<String> = ["h264", "hevc", "vp8", "vp9", "av1", "mjpeg", "prores"]

  /// - Parameter reusesFrame: each frame is handed over in the same object, for callers that keep none.
  init(
    _ stream: SourceStream, threadCount: Int = 0, skipsNonReferenceDeblocking: Bool = false, reusesFrame: Bool = false
  ) throws {
    self.stream = stream
    decoder = try Decoder(
      stream, threadCount: threadCount,
      toleratesFrameNumberGaps: stream.decoderSetup?.sequence?.allowsFrameNumberGaps ?? false,
      skipsNonReferenceDeblocking: skipsNonReferenceDeblocking)
    isVideo = stream.kind == .video
    mayBeginAnywhere = stream.isOfUnindexedContainer
    let counts =
      isVideo && Self.onePictureEach.contains(stream.codecName) && (stream.fieldOrder ?? "progressive") == "progressive"
    expected = counts ? [] : nil
    let shared = try Frame()
    frame = reusesFrame ? { shared } : { try Frame() }
  }

  /// Decodes a packet; `nil` at the end.
  /// - Parameters:
  ///   - damage: called for each damage; what it throws ends the decoding.
  ///   - output: called for each frame that is shown, and with `isHidden` for those that an edit list hides.
  func take(
    _ packet: Packet?, damage: (Damage) throws -> Void, output: (_ frame: Frame, _ isHidden: Bool) throws -> Void
  ) throws {
    if let packet, try !begins(with: packet, damage: damage) { return }
    do {
      while try !decoder.send(packet) { try drain(damage, output) }
      try drain(damage, output)
    } catch let error as FFmpegError where error.isOfTheDecoder {
      // An encoder that fails in between says nothing about the source.
      _ = decoder.takeConcealedError()
      if let ticks = packet?.presentationTicks { forget(ticks) }
      if counts { try damage(Damage(ticks: packet?.presentationTicks, why: error.logLine ?? error.codeText)) }
      if packet == nil { try? drain({ _ in }, output) }
    }
    try reportConcealed(at: packet?.presentationTicks, damage)
    if packet == nil { try reportMissing(damage) }
  }

  /// Errors count: what is decoded is part of the clip.
  private var counts: Bool { !(mayBeginAnywhere && !isVideo || hasLeadingPictures || beginsHidden) || hasOutput }

  /// Notes what is known of a packet. False when it is left out.
  private func begins(with packet: Packet, damage: (Damage) throws -> Void) throws -> Bool {
    let ticks = packet.presentationTicks
    if packet.isCorrupt, hasBegun || !mayBeginAnywhere {
      try damage(Damage(ticks: ticks, why: "a packet is cut short"))
    }
    guard isVideo else { return true }
    if !hasBegun {
      if mayBeginAnywhere, !packet.isKeyFrame { return false }
      hasBegun = true
      if packet.isKeyFrame { firstTicks = ticks ?? .min }
      if stream.codecName == "h264", !PictureUnits.isIDR(packet, lengthSize: stream.decoderSetup?.lengthSize) {
        decoder.ignoreStartGap()
      }
      beginsHidden = packet.isDiscarded && !packet.isKeyFrame
      if ticks == nil { decodingTicks = [] }
    }
    if let ticks = packet.decodingTicks { decodingTicks?.append(ticks) }
    guard let ticks else {
      expected = nil
      return true
    }
    newestTicks = max(newestTicks ?? ticks, ticks)
    if ticks < firstTicks { hasLeadingPictures = true }
    if packet.isDiscarded {
      // The decoder would drop the frame; one that lasts into the presentation is needed.
      hidden.insert(ticks)
      packet.isDiscarded = false
    } else if ticks >= firstTicks, expected != nil, !HiddenPicture.isOne(packet, codec: stream.codecName),
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
      if let ticks { forget(ticks) }
      if isVideo, let ticks, ticks < firstTicks { continue }
      if !counts { _ = decoder.takeConcealedError() }
      let isHidden = ticks.map { hidden.remove($0) != nil } ?? false
      if !(beginsHidden && isHidden) { hasOutput = true }
      if counts, frame.isDamaged { try damage(Damage(ticks: ticks, why: "a frame is incomplete")) }
      try reportConcealed(at: ticks, damage)
      try output(frame, isHidden)
    }
  }

  private func forget(_ ticks: Int64) {
    if let place = expected?.firstIndex(of: ticks) { expected?.remove(at: place) }
  }

  /// Worker threads are a few pictures ahead: the earliest one in the decoder is the first that it can be.
  private func reportConcealed(at ticks: Int64?, _ damage: (Damage) throws -> Void) throws {
    guard let line = decoder.takeConcealedError(), counts else { return }
    try damage(Damage(ticks: expected?.min() ?? ticks ?? newestTicks, why: line))
  }

  private func reportMissing(_ damage: (Damage) throws -> Void) throws {
    guard let missing = expected, let first = missing.min() else { return }
    expected = []
    let count = missing.count
    try damage(
      Damage(ticks: first, why: count == 1 ? "a picture is missing" : "\(count) pictures are missing"))
  }
}

extension SourceStream {
  /// Of a container without an index, which may be a part of a longer one: its first picture may need what was before.
  var isOfUnindexedContainer: Bool { ["mpegts", "mpeg", "h264", "hevc"].contains(containerFormatName) }
}
