internal import ISOMedia
internal import LocationFormats

/// Something in a picture's own bytes that is not picture.
struct PictureMessage: Equatable {
  var finding: PayloadFinding
  /// The bytes of the source that go when it is cut out.
  var range: Range<Int64>
  /// What takes their place.
  var replacement: [UInt8] = []
}

/// How the pictures of a track are coded, as far as it matters for what can ride in them.
enum PictureCoding: Equatable, Sendable {
  /// Coded in units, some of which are messages.
  case units(VideoFraming)
  /// JPEG pictures with their segments.
  case jpeg
  /// MPEG-1, 2 and 4: user data between start codes.
  case startCodes

  /// Bytes of one picture of the last two kinds that are looked through.
  private static let pictureLimit = 16 << 20

  /// - Parameters:
  ///   - name: libav's name of the codec: `h264`.
  ///   - setup: what the container keeps for the decoder: an `avcC` or `hvcC`, which has the size of the lengths.
  /// - Returns: `nil` for codecs that have no room for messages.
  init?(codec name: String, setup: [UInt8]) {
    switch name {
    case "h264":
      self = .units(Self.lengthSize(setup, at: 4).map { .h264(lengthSize: $0) } ?? .h264StartCodes)
    case "hevc":
      self = .units(Self.lengthSize(setup, at: 21).map { .hevc(lengthSize: $0) } ?? .hevcStartCodes)
    case "av1": self = .units(.av1)
    case "mjpeg": self = .jpeg
    case "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v3": self = .startCodes
    default: return nil
    }
  }

  /// The last two bits of a byte of an `avcC` (ISO/IEC 14496-15, 5.3.3.1) or `hvcC` (8.3.3.1) record, whose version is
  /// 1; anything else is start codes.
  private static func lengthSize(_ setup: [UInt8], at offset: Int) -> Int? {
    guard setup.first == 1, setup.count > offset else { return nil }
    return Int(setup[offset] & 3) + 1
  }

  /// What rides in one picture, in its order.
  /// - Parameter search: for positions in every message, whatever its type.
  func messages(
    in range: Range<Int64>, of source: any ByteSource, search: PositionSearch = .blind
  ) throws(ISOMediaError) -> [PictureMessage] {
    let segments: [Range<Int>]
    switch self {
    case .units(let framing):
      return try AccessUnits.attachments(in: range, of: source, framing: framing, search: search).map {
        PictureMessage(finding: $0.finding, range: $0.range, replacement: $0.replacement)
      }
    case .jpeg: segments = JPEGSegments.messages(in: try source.bytes(in: range, atMost: Self.pictureLimit))
    case .startCodes: segments = Self.userData(in: try source.bytes(in: range, atMost: Self.pictureLimit))
    }
    var messages: [PictureMessage] = []
    for segment in segments {
      let place = range.lowerBound + Int64(segment.lowerBound)..<range.lowerBound + Int64(segment.upperBound)
      guard let finding = try UnreferencedBytes(place, of: source, search: search).finding else { continue }
      messages.append(PictureMessage(finding: finding, range: place))
    }
    return messages
  }

  /// What rides in a decoder's setup beside the parameters.
  func findings(inSetup setup: [UInt8]) throws(ISOMediaError) -> [PayloadFinding] {
    switch self {
    case .units(.hevc): return DecoderConfiguration.findings(inHVCC: setup)
    case .units(.av1): return DecoderConfiguration.findings(inAV1C: setup)
    // Without a record of its own the setup is a piece of the stream.
    case .units(.h264StartCodes), .units(.hevcStartCodes), .startCodes:
      let bytes = MemoryBytes(setup)
      return try messages(in: 0..<bytes.byteCount, of: bytes).map(\.finding)
    case .jpeg:
      // No decoder of JPEG needs one: cameras' stream data ends there when an AVI file is copied.
      let bytes = MemoryBytes(setup)
      return try CameraChunks.examine("strd", 0..<bytes.byteCount, in: bytes).map { [$0] } ?? []
    case .units(.h264): return []
    }
  }

  /// From each user data start code (`00 00 01 B2`) up to the next start code.
  private static func userData(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index + 3 < bytes.count {
      // The third byte of a start code limits how far away the next one can be.
      guard bytes[index + 2] <= 1 else {
        index += 3
        continue
      }
      guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
        index += 1
        continue
      }
      if let begin = start { found.append(begin..<index) }
      start = bytes[index + 3] == 0xB2 ? index : nil
      index += 4
    }
    if let begin = start { found.append(begin..<bytes.count) }
    return found
  }
}

/// The segments of JPEG pictures that are no picture: applications' data and comments (ITU-T T.81, annex B).
enum JPEGSegments {
  /// Markers and their segments, of both fields where a frame is two pictures.
  static func messages(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let start = startOfImage(in: bytes, from: position) {
      position = start + 2
      while position + 3 < bytes.count, bytes[position] == 0xFF {
        let marker = bytes[position + 1]
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        // Picture data follows the start of a scan; a length counts itself.
        guard marker != 0xDA, length >= 2, position + 2 + length <= bytes.count else { break }
        if (0xE1...0xEF).contains(marker) || marker == 0xFE { found.append(position..<position + 2 + length) }
        position += 2 + length
      }
    }
    return found
  }

  /// `FF D8 FF` cannot be inside picture data, where a zero follows every `FF`.
  private static func startOfImage(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.count {
      if bytes[index] == 0xFF, bytes[index + 1] == 0xD8, bytes[index + 2] == 0xFF { return index }
      index += 1
    }
    return nil
  }
}
