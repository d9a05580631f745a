internal import ISOMedia
internal import LocationFormats

/// The fields of a `TrackEntry` that determine how to check the track's blocks.
struct MatroskaTrack {
  private(set) var number: UInt64 = 0
  private(set) var codec = ""
  /// The bytes that were removed from the start of every frame (`ContentCompAlgo` 3).
  private(set) var strippedHeader: [UInt8] = []
  private(set) var inspection = SampleInspection.none
  /// The findings in the decoder configuration.
  private(set) var setupFindings: [PayloadFinding] = []

  /// The maximum size of a field in bytes. Decoder configurations are smaller. Fonts in subtitle headers are not
  /// checked here.
  private static let fieldLimit = 1 << 16
  private static let strippingLimit = 64

  init(_ entry: EBMLElement, in source: any ByteSource) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: entry.payload)
    var type: UInt64 = 0
    var setup: [UInt8] = []
    var encoding: String?
    while let field = try reader.next() {
      let bytes = try source.bytes(in: field.payload, atMost: Self.fieldLimit)
      switch field.name {
      case "TrackNumber": number = Self.readNumber(bytes)
      case "TrackType": type = Self.readNumber(bytes)
      case "CodecID": codec = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      case "CodecPrivate": setup = bytes
      case "ContentEncodings": encoding = try readEncodings(field, in: source)
      default: break
      }
    }
    let video = chooseVideoInspection(setup)
    inspection = chooseInspection(ofType: type, video: video.inspection)
    setupFindings = try video.inspection.findings(inSetup: video.setup)
    // Header stripping removes only a few bytes.
    if strippedHeader.count > Self.strippingLimit { encoding = "compressed-track" }
    if let encoding, inspection != .none { inspection = .opaque(kind: encoding) }
  }

  /// Reads the track's encodings.
  /// - Returns: the kind of encoding that makes the frames unreadable; `nil` if there is none.
  private mutating func readEncodings(
    _ element: EBMLElement, in source: any ByteSource, depth: Int = 0
  ) throws(ISOMediaError) -> String? {
    var reader = EBMLReader(source: source, range: element.payload)
    // The default compression algorithm is zlib.
    var encoding = element.name == "ContentCompression" ? "compressed-track" : nil
    while let field = try reader.next() {
      switch field.name {
      case "ContentEncoding" where depth == 0, "ContentCompression" where depth == 1:
        encoding = try readEncodings(field, in: source, depth: depth + 1) ?? encoding
      case "ContentEncryption": encoding = "encrypted-track"
      case "ContentCompAlgo":
        // Algorithm 3 is header stripping.
        if Self.readNumber(try source.bytes(in: field.payload, atMost: 8)) == 3 { encoding = nil }
      case "ContentCompSettings": strippedHeader = try source.bytes(in: field.payload, atMost: Self.fieldLimit)
      default: break
      }
    }
    return encoding
  }

  private func chooseInspection(ofType type: UInt64, video: SampleInspection) -> SampleInspection {
    switch type {
    case 1: video
    case 2: .none
    case 0x11:
      switch codec {
      case "S_VOBSUB", "S_HDMV/PGS", "S_DVBSUB", "S_IMAGE/BMP": .none
      default: codec.hasPrefix("S_") ? .text : .opaque(kind: "matroska-subtitles")
      }
    // Track type 0x21 is metadata; types 3, 0x10, 0x12 and 0x20 are complex, logo, buttons and control.
    default: codec.hasPrefix("D_WEBVTT") ? .text : .opaque(kind: "matroska-data-track")
    }
  }

  /// The libav names of the codecs whose frames can contain messages.
  private static let libavNames = [
    "V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "hevc", "V_AV1": "av1", "V_MJPEG": "mjpeg", "V_MPEG1": "mpeg1video",
    "V_MPEG2": "mpeg2video", "V_MPEG4/ISO/SP": "mpeg4", "V_MPEG4/ISO/ASP": "mpeg4", "V_MPEG4/ISO/AP": "mpeg4",
    "V_MPEG4/MS/V3": "mpeg4",
  ]

  private func chooseVideoInspection(_ setup: [UInt8]) -> (inspection: SampleInspection, setup: [UInt8]) {
    guard codec == "V_MS/VFW/FOURCC" else {
      return (SampleInspection(codec: Self.libavNames[codec], setup: setup), setup)
    }
    // A bitmap header precedes the decoder configuration.
    let rest = Array(setup.dropFirst(40))
    return (SampleInspection(codec: VideoFourCC.libavName(ofBitmapHeader: setup), setup: rest), rest)
  }

  private static func readNumber(_ bytes: [UInt8]) -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension MatroskaTrack {
  /// The elements that describe a track's storage, not its presentation.
  private static let storage: Set = [
    "Void", "CRC-32", "ContentEncodings", "FlagLacing", "FlagEnabled", "FlagDefault", "MinCache", "MaxCache",
    "CodecName", "CodecDecodeAll", "CodecInfoURL", "CodecDownloadURL", "CodecSettings", "MaxBlockAdditionID", "Name",
    "Language", "LanguageBCP47", "TrackOverlay", "AttachmentLink", "FlagOriginal", "BitDepth", "DisplayUnit",
    "FieldOrder", "FlagInterlaced", "AspectRatioType", "FrameRate",
  ]

  /// Returns the paths of all elements that describe the tracks in a file, such as
  /// `Video/Projection/ProjectionPoseRoll`.
  static func elementNames(in source: any ByteSource) throws(ISOMediaError) -> Set<String> {
    guard let tracks = try EBMLReader.tracks(of: source) else { return [] }
    var names: Set<String> = []
    var entries = EBMLReader(source: source, range: tracks.payload)
    while let entry = try entries.next() {
      guard entry.id == MatroskaSchema.trackEntry else { continue }
      try collectNames(in: entry, path: "", depth: 0, of: source, into: &names)
    }
    return names
  }

  private static func collectNames(
    in parent: EBMLElement, path: String, depth: Int, of source: any ByteSource, into names: inout Set<String>
  ) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: parent.payload)
    while let element = try reader.next(), names.count < 1024 {
      guard !storage.contains(element.name) else { continue }
      if MatroskaSchema.definitions[element.id]?.content == .elements, depth < 4 {
        try collectNames(in: element, path: "\(path)\(element.name)/", depth: depth + 1, of: source, into: &names)
      } else {
        names.insert(path + element.name)
      }
    }
  }
}
