public import ISOMedia

/// How the pictures of a video track are packed into samples.
public enum VideoFraming: Equatable, Sendable {
  /// NAL units behind their lengths of 1 to 4 bytes (`avcC`, `hvcC`).
  case h264(lengthSize: Int)
  /// The same of HEVC.
  case hevc(lengthSize: Int)
  /// NAL units behind start codes (MPEG-TS, raw streams).
  case h264StartCodes
  /// The same of HEVC.
  case hevcStartCodes
  /// Open bitstream units with their sizes.
  case av1
}

/// Something in a picture's own bytes that is not picture, and can be cut out.
public struct PictureAttachment: Equatable, Sendable {
  /// `avchd-mdpm`, `sony-avchd-id`, `sei-unregistered`, `sei-registered`, `av1-itu-t35`, `av1-metadata`, `av1-padding`,
  /// `av1-reserved`; `sei-message` and `nal-unit` for a position in any other message or unit; `sei-oversized` and
  /// `av1-oversized` for what is too large to be read.
  public var finding: PayloadFinding
  /// The bytes of the source that go: a whole unit with its length or start code.
  public var range: Range<Int64>
  /// What takes their place: the unit without the message that goes, when it held others; mostly empty.
  public var replacement: [UInt8]
}

/// Finds user data inside video: SEI messages of H.264 and HEVC, metadata units of AV1.
public enum AccessUnits {
  /// Reads the headers of the units in one sample, and the whole of those that are no picture. Between start codes
  /// there are no lengths: there the sample is looked through, in pieces.
  /// - Parameters:
  ///   - range: of the sample, bytes of the source.
  ///   - source: what holds the sample.
  ///   - framing: how units are separated in it.
  ///   - search: for positions in messages of every type, in filler, and in units of unspecified types.
  /// - Throws: when the source cannot be read. Damaged units are passed over.
  public static func attachments(
    in range: Range<Int64>, of source: any ByteSource, framing: VideoFraming, search: PositionSearch = .blind
  ) throws(ISOMediaError) -> [PictureAttachment] {
    let range = range.clamped(to: 0..<max(0, source.byteCount))
    func units(_ codec: NALUnitCodec) -> NALUnits { NALUnits(source: source, codec: codec, search: search) }
    switch framing {
    case .h264(let size): return try units(.h264).attachments(in: range, lengthSize: size)
    case .hevc(let size): return try units(.hevc).attachments(in: range, lengthSize: size)
    case .h264StartCodes: return try units(.h264).attachments(in: range)
    case .hevcStartCodes: return try units(.hevc).attachments(in: range)
    case .av1: return try OpenBitstreamUnits.attachments(in: range, of: source, search: search)
    }
  }

  /// The sample without them.
  /// - Parameters:
  ///   - attachments: Of this sample alone, with ranges from its first byte on.
  ///   - sample: one sample's bytes.
  public static func removing(_ attachments: [PictureAttachment], from sample: [UInt8]) -> [UInt8] {
    var (rest, next) = ([UInt8](), 0)
    rest.reserveCapacity(sample.count)
    for attachment in attachments.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let range = attachment.range.clamped(to: Int64(next)..<Int64(sample.count))
      guard !range.isEmpty else { continue }
      rest += sample[next..<Int(range.lowerBound)]
      rest += attachment.replacement
      next = Int(range.upperBound)
    }
    return rest + sample[next...]
  }
}
