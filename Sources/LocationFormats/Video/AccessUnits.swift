public import ISOMedia

/// The format in which a video track's samples store frames.
public enum VideoFraming: Equatable, Sendable {
  /// H.264 NAL units with length prefixes of 1 to 4 bytes (`avcC`, `hvcC`).
  case h264(lengthSize: Int)
  /// HEVC NAL units with length prefixes of 1 to 4 bytes.
  case hevc(lengthSize: Int)
  /// H.264 NAL units with start codes (MPEG-TS, raw streams).
  case h264StartCodes
  /// HEVC NAL units with start codes.
  case hevcStartCodes
  /// AV1 open bitstream units (OBUs) that contain their size.
  case av1
}

/// A message in coded video, such as an SEI message with user data. Removing it doesn't change the image.
public struct EmbeddedMessage: Equatable, Sendable {
  /// The kind of message: `avchd-mdpm`, `sony-avchd-id`, `sei-unregistered`, `sei-registered`, `av1-itu-t35`,
  /// `av1-metadata`, `av1-padding` or `av1-reserved`; `sei-message` or `nal-unit` for a position in a different SEI
  /// message or NAL unit; `sei-oversized` or `av1-oversized` for a unit that is too large to read.
  public var finding: PayloadFinding
  /// The byte range in the source to remove: a complete unit including its length prefix or start code.
  public var range: Range<Int64>
  /// The bytes to insert instead: if the unit contains other messages, the unit with only these messages; otherwise
  /// empty.
  public var replacement: [UInt8]

  package init(finding: PayloadFinding, range: Range<Int64>, replacement: [UInt8] = []) {
    (self.finding, self.range, self.replacement) = (finding, range, replacement)
  }
}

/// Finds user data in coded video: SEI messages in H.264 and HEVC, metadata OBUs in AV1.
public enum AccessUnits {
  /// Reads the unit headers in a sample, and all complete units that aren't image data. Because units with start codes
  /// have no lengths, a sample with start codes is read completely, piece by piece.
  /// - Parameters:
  ///   - range: the byte range of the sample in the source.
  ///   - source: the source that contains the sample.
  ///   - framing: how the units are delimited.
  ///   - search: the search for positions in all SEI messages, in filler data, and in units of unspecified types.
  /// - Throws: an error if the source cannot be read. Damaged units are skipped.
  public static func messages(
    in range: Range<Int64>, of source: any ByteSource, framing: VideoFraming, search: PositionSearch = .generic
  ) throws(ISOMediaError) -> [EmbeddedMessage] {
    let range = range.clamped(to: 0..<max(0, source.byteCount))
    func makeUnitReader(_ codec: NALUnitCodec) -> NALUnits { NALUnits(source: source, codec: codec, search: search) }
    switch framing {
    case .h264(let size): return try makeUnitReader(.h264).messages(in: range, lengthSize: size)
    case .hevc(let size): return try makeUnitReader(.hevc).messages(in: range, lengthSize: size)
    case .h264StartCodes: return try makeUnitReader(.h264).messages(in: range)
    case .hevcStartCodes: return try makeUnitReader(.hevc).messages(in: range)
    case .av1: return try OpenBitstreamUnits.messages(in: range, of: source, search: search)
    }
  }

  /// Returns the sample without the given messages.
  /// - Parameters:
  ///   - messages: the messages to remove, with ranges relative to the first byte of the sample.
  ///   - sample: the bytes of the sample.
  public static func removeMessages(_ messages: [EmbeddedMessage], from sample: [UInt8]) -> [UInt8] {
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
