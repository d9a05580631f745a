internal import ISOMedia
internal import LocationFormats

/// The coding of a video track, which determines where its frames can contain messages.
enum VideoCoding: Equatable, Sendable {
  /// NAL units or AV1 OBUs, some of which contain messages.
  case units(VideoFraming)
  /// JPEG images, which are split into marker segments.
  case jpeg
  /// MPEG-1, MPEG-2 and MPEG-4 video, which stores user data between start codes.
  case startCodes

  /// The maximum size in bytes of a frame to check. It does not apply to `units`.
  private static let frameLimit = 16 << 20

  /// Determines the coding of a track.
  /// - Parameters:
  ///   - name: the libav name of the codec, such as `h264`.
  ///   - setup: the decoder configuration. An `avcC` or `hvcC` record contains the size of the length prefixes.
  /// - Returns: `nil` for codecs that don't support embedded messages.
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

  /// Returns the size of the length prefixes, according to `lengthSizeMinusOne` in an `avcC` (ISO/IEC 14496-15,
  /// 5.3.3.1) or `hvcC` (8.3.3.1) record, whose version is 1; `nil` if the stream uses start codes.
  private static func lengthSize(_ setup: [UInt8], at offset: Int) -> Int? {
    guard setup.first == 1, setup.count > offset else { return nil }
    return Int(setup[offset] & 3) + 1
  }

  /// Returns the messages in a frame, in order.
  /// - Parameter search: the search for positions in every message, regardless of its type.
  func messages(
    in range: Range<Int64>, of source: any ByteSource, search: PositionSearch = .generic
  ) throws(ISOMediaError) -> [EmbeddedMessage] {
    let segments: [Range<Int>]
    switch self {
    case .units(let framing):
      return try AccessUnits.messages(in: range, of: source, framing: framing, search: search)
    case .jpeg: segments = JPEGSegments.messages(in: try source.bytes(in: range, atMost: Self.frameLimit))
    case .startCodes: segments = Self.findUserData(in: try source.bytes(in: range, atMost: Self.frameLimit))
    }
    var messages: [EmbeddedMessage] = []
    for segment in segments {
      let range = range.lowerBound + Int64(segment.lowerBound)..<range.lowerBound + Int64(segment.upperBound)
      guard let finding = try ExaminedBytes(range, of: source, search: search).finding else { continue }
      messages.append(EmbeddedMessage(finding: finding, range: range))
    }
    return messages
  }

  /// Returns the findings in a decoder configuration.
  func findings(inSetup setup: [UInt8]) throws(ISOMediaError) -> [PayloadFinding] {
    let bytes = MemoryBytes(setup)
    switch self {
    case .units(.hevc): return DecoderConfiguration.hvcC.findings(in: setup)
    case .units(.av1): return DecoderConfiguration.av1C.findings(in: setup)
    // If the setup isn't a configuration record, it is a part of the bitstream.
    case .units(.h264StartCodes), .units(.hevcStartCodes), .startCodes:
      return try messages(in: 0..<bytes.byteCount, of: bytes).map(\.finding)
    // JPEG decoders don't need a setup. In copies of AVI files, the setup contains the camera's stream data.
    case .jpeg: return try CameraChunks.examine("strd", 0..<bytes.byteCount, in: bytes).map { [$0] } ?? []
    case .units(.h264): return []
    }
  }

  /// Returns the ranges from each user data start code (`00 00 01 B2`) to the next start code.
  private static func findUserData(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    var index = 0
    while let code = NALUnits.findStartCode(in: bytes, from: &index), code + 3 < bytes.count {
      if let begin = start { found.append(begin..<code) }
      start = bytes[code + 3] == 0xB2 ? code : nil
      index = code + 4
    }
    if let begin = start { found.append(begin..<bytes.count) }
    return found
  }
}

/// Finds the marker segments in JPEG images that contain application data or comments instead of image data (ITU-T
/// T.81, annex B).
enum JPEGSegments {
  /// Returns the ranges of the segments, including their markers. If a frame consists of two images, one per field, the
  /// result covers both images.
  static func messages(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let start = findStartOfImage(in: bytes, from: position) {
      position = start + 2
      while position + 3 < bytes.count, bytes[position] == 0xFF {
        let marker = bytes[position + 1]
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        // Image data follows the start-of-scan segment. A segment's length includes the length field.
        guard marker != 0xDA, length >= 2, position + 2 + length <= bytes.count else { break }
        if (0xE1...0xEF).contains(marker) || marker == 0xFE { found.append(position..<position + 2 + length) }
        position += 2 + length
      }
    }
    return found
  }

  /// `FF D8 FF` can't occur in image data, where a zero follows every `FF`.
  private static func findStartOfImage(in bytes: [UInt8], from start: Int) -> Int? {
    guard start + 2 < bytes.count else { return nil }
    return (start..<bytes.count - 2).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF }
  }
}
