internal import ISOMedia
internal import LocationFormats

/// A `TrackEntry`, as far as it decides how the track's blocks are read.
struct MatroskaTrack {
  private(set) var number: UInt64 = 0
  private(set) var codec = ""
  /// The decoder's setup: `CodecPrivate`.
  private(set) var setup: [UInt8] = []
  /// Bytes that were cut off the front of every frame (`ContentCompAlgo` 3).
  private(set) var strippedHeader: [UInt8] = []
  /// How the blocks are looked at.
  private(set) var reading = SampleReading.none

  /// A decoder's setup is smaller; fonts in subtitles' headers are not looked at here.
  private static let fieldLimit = 1 << 16
  private static let strippingLimit = 64

  init(_ entry: EBMLElement, in source: any ByteSource) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: entry.payload)
    var type: UInt64 = 0
    var packing: String?
    while let field = try reader.next() {
      let bytes = try source.bytes(in: field.payload, atMost: Self.fieldLimit)
      switch field.id {
      case MatroskaSchema.trackNumber: number = Self.number(bytes)
      case MatroskaSchema.trackType: type = Self.number(bytes)
      case MatroskaSchema.codecID: codec = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      case MatroskaSchema.codecPrivate: setup = bytes
      case MatroskaSchema.contentEncodings: packing = try readEncodings(field, in: source)
      default: break
      }
    }
    reading = reading(ofType: type)
    // Header stripping takes a few bytes.
    if strippedHeader.count > Self.strippingLimit { packing = "compressed-track" }
    if let packing, reading != .none { reading = .opaque(kind: packing) }
  }

  /// - Returns: why the frames cannot be read.
  private mutating func readEncodings(
    _ element: EBMLElement, in source: any ByteSource, depth: Int = 0
  ) throws(ISOMediaError) -> String? {
    var reader = EBMLReader(source: source, range: element.payload)
    // Without an element that says otherwise it is zlib.
    var packing = element.id == MatroskaSchema.contentCompression ? "compressed-track" : nil
    var isHeaderStripping = false
    while let field = try reader.next() {
      switch field.id {
      case MatroskaSchema.contentEncoding where depth == 0, MatroskaSchema.contentCompression where depth == 1:
        if let found = try readEncodings(field, in: source, depth: depth + 1) { packing = found }
      case MatroskaSchema.contentEncryption: packing = "encrypted-track"
      case MatroskaSchema.contentCompressionAlgorithm:
        isHeaderStripping = Self.number(try source.bytes(in: field.payload, atMost: 8)) == 3
        packing = isHeaderStripping ? nil : packing
      case MatroskaSchema.contentCompressionSettings:
        strippedHeader = try source.bytes(in: field.payload, atMost: Self.fieldLimit)
      default: break
      }
    }
    return packing
  }

  private func reading(ofType type: UInt64) -> SampleReading {
    switch type {
    case 1: pictureReading
    case 2: .none
    case 0x11:
      switch codec {
      case "S_VOBSUB", "S_HDMV/PGS", "S_DVBSUB", "S_IMAGE/BMP": .none
      default: codec.hasPrefix("S_") ? .text : .opaque(kind: "matroska-subtitles")
      }
    // 0x21: metadata. 3, 0x10, 0x12 and 0x20 (complex, logo, buttons, control) are no film either.
    default: codec.hasPrefix("D_WEBVTT") ? .text : .opaque(kind: "matroska-data-track")
    }
  }

  private var pictureReading: SampleReading { coding.map(SampleReading.pictures) ?? .none }

  private var coding: PictureCoding? {
    Self.libavName(codec, setup: setup).flatMap { PictureCoding(codec: $0, setup: codecSetup) }
  }

  /// Behind a bitmap header is what other tracks have alone.
  private var codecSetup: [UInt8] { codec == "V_MS/VFW/FOURCC" ? Array(setup.dropFirst(40)) : setup }

  /// What rides in the decoder's setup.
  func setupFindings() throws(ISOMediaError) -> [PayloadFinding] {
    try coding?.findings(inSetup: codecSetup) ?? []
  }

  /// Codecs of pictures with room for messages, as libav calls them.
  private static func libavName(_ codec: String, setup: [UInt8]) -> String? {
    switch codec {
    case "V_MPEG4/ISO/AVC": return "h264"
    case "V_MPEGH/ISO/HEVC": return "hevc"
    case "V_AV1": return "av1"
    case "V_MJPEG": return "mjpeg"
    case "V_MPEG1": return "mpeg1video"
    case "V_MPEG2": return "mpeg2video"
    case "V_MPEG4/ISO/SP", "V_MPEG4/ISO/ASP", "V_MPEG4/ISO/AP", "V_MPEG4/MS/V3": return "mpeg4"
    case "V_MS/VFW/FOURCC":
      // A bitmap header (BITMAPINFOHEADER): its compression is the fifth field.
      var cursor = ByteCursor(setup)
      guard cursor.skip(16), let code = cursor.fourCC() else { return nil }
      return VideoFourCC.libavName(code)
    default: return nil
    }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension MatroskaTrack {
  /// Of elements that say how something is stored, not what it is.
  private static let storage: Set = [
    "Void", "CRC-32", "ContentEncodings", "FlagLacing", "FlagEnabled", "FlagDefault", "MinCache", "MaxCache",
    "CodecName", "CodecDecodeAll", "CodecInfoURL", "CodecDownloadURL", "CodecSettings", "MaxBlockAdditionID", "Name",
    "Language", "LanguageBCP47", "TrackOverlay", "AttachmentLink", "FlagOriginal", "BitDepth", "DisplayUnit",
    "FieldOrder", "FlagInterlaced", "AspectRatioType", "FrameRate",
  ]

  /// The names of all elements that describe the tracks of a file: `Video/Projection/ProjectionPoseRoll`.
  static func elementNames(in source: any ByteSource) throws(ISOMediaError) -> Set<String> {
    guard let tracks = try EBMLReader.tracks(of: source) else { return [] }
    var names: Set<String> = []
    var entries = EBMLReader(source: source, range: tracks.payload)
    while let entry = try entries.next() {
      guard entry.id == MatroskaSchema.trackEntry else { continue }
      try collect(&names, in: entry, path: "", depth: 0, of: source)
    }
    return names
  }

  private static func collect(
    _ names: inout Set<String>, in parent: EBMLElement, path: String, depth: Int, of source: any ByteSource
  ) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: parent.payload)
    while let element = try reader.next(), names.count < 1024 {
      let name = MatroskaSchema.name(of: element.id)
      guard !storage.contains(name) else { continue }
      if MatroskaSchema.definitions[element.id]?.content == .elements, depth < 4 {
        try collect(&names, in: element, path: "\(path)\(name)/", depth: depth + 1, of: source)
      } else {
        names.insert(path + name)
      }
    }
  }
}

/// The codes of video formats in AVI.
enum VideoFourCC {
  /// Codecs of pictures with room for messages, as libav calls them.
  static func libavName(_ code: FourCC) -> String? {
    switch code.description.uppercased() {
    case "H264", "X264", "AVC1", "DAVC", "VSSH": "h264"
    case "HEVC", "H265", "HVC1", "HEV1", "X265": "hevc"
    case "AV01": "av1"
    case "MJPG", "JPEG", "AVRN", "LJPG", "DMB1", "AVDJ", "MJLS": "mjpeg"
    case "MPG1", "MPEG": "mpeg1video"
    case "MPG2", "MP2V", "MPG4": "mpeg2video"
    case "XVID", "DIVX", "DX50", "FMP4", "MP4V", "M4S2", "MP4S", "FFDS", "RMP4", "XVIX": "mpeg4"
    default: nil
    }
  }
}
