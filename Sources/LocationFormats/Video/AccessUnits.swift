public import ISOMedia

/// How the frames of a video track are stored in samples.
public enum VideoFraming: Equatable, Sendable {
  /// NAL units with length prefixes of 1 to 4 bytes (`avcC`, `hvcC`).
  case h264(lengthSize: Int)
  /// HEVC NAL units in the same framing.
  case hevc(lengthSize: Int)
  /// NAL units with start codes (MPEG-TS, raw streams).
  case h264StartCodes
  /// HEVC NAL units in the same framing.
  case hevcStartCodes
  /// Open bitstream units with their sizes.
  case av1
}

/// A message inside coded video, such as an SEI message with user data, that can be removed without changing the image.
public struct EmbeddedMessage: Equatable, Sendable {
  /// `avchd-mdpm`, `sony-avchd-id`, `sei-unregistered`, `sei-registered`, `av1-itu-t35`, `av1-metadata`, `av1-padding`,
  /// `av1-reserved`; `sei-message` and `nal-unit` for a position in any other SEI message or NAL unit; `sei-oversized`
  /// and `av1-oversized` for a unit that is too large to read.
  public var finding: PayloadFinding
  /// The bytes of the source to remove: a whole unit with its length or start code.
  public var range: Range<Int64>
  /// The bytes that replace them: the unit without the message, if it contains other messages; usually empty.
  public var replacement: [UInt8]

  package init(finding: PayloadFinding, range: Range<Int64>, replacement: [UInt8] = []) {
    (self.finding, self.range, self.replacement) = (finding, range, replacement)
  }
}

/// Finds user data inside coded video: SEI messages in H.264 and HEVC, metadata OBUs in AV1.
public enum AccessUnits {
  /// Reads the unit headers in one sample, and the complete units that are not image data. Units with start codes have
  /// no lengths, so such a sample is read completely, in pieces.
  /// - Parameters:
  ///   - range: the range of the sample in the source.
  ///   - source: the source with the sample.
  ///   - framing: how the units are delimited.
  ///   - search: the search for positions in SEI messages of every type, in filler data, and in units of unspecified
  ///     types.
  /// - Throws: an error if the source cannot be read. Damaged units are skipped.
  public static func messages(
    in range: Range<Int64>, of source: any ByteSource, framing: VideoFraming, search: PositionSearch = .generic
  ) throws(ISOMediaError) -> [EmbeddedMessage] {
    let range = range.clamped(to: 0..<max(0, source.byteCount))
    func units(_ codec: NALUnitCodec) -> NALUnits { NALUnits(source: source, codec: codec, search: search) }
    switch framing {
    case .h264(let size): return try units(.h264).messages(in: range, lengthSize: size)
    case .hevc(let size): return try units(.hevc).messages(in: range, lengthSize: size)
    case .h264StartCodes: return try units(.h264).messages(in: range)
    case .hevcStartCodes: return try units(.hevc).messages(in: range)
    case .av1: return try OpenBitstreamUnits.messages(in: range, of: source, search: search)
    }
  }

  /// The sample without the messages.
  /// - Parameters:
  ///   - messages: messages of this sample, with ranges relative to its first byte.
  ///   - sample: the bytes of one sample.
  public static func removing(_ messages: [EmbeddedMessage], from sample: [UInt8]) -> [UInt8] {
    var (rest, next) = ([UInt8](), 0)
    rest.reserveCapacity(sample.count)
    for message in messages.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let range = message.range.clamped(to: Int64(next)..<Int64(sample.count))
      guard !range.isEmpty else { continue }
      rest += sample[next..<Int(range.lowerBound)]
      rest += message.replacement
      next = Int(range.upperBound)
    }
    return rest + sample[next...]
  }
}
