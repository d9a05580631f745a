import ClipModel
import ISOMedia
import LocationFormats

extension FuzzTarget {
  private static let sampleFormats: [FourCC] = [
    "gpmd", "camm", "mebx", "djmd", "dbgi", "rtmd", "CTMD", "mett", "RVMI", "marl", "text", "tx3g", "fdsc", "gps ",
    "priv", "stpp", "wvtt", "c608", "urim", "metx",
  ]

  private static let blockTypes: [FourCC] = [
    "GPS ", "gps ", "gps0", "gsen", "GPMF", "uuid", "CNDA", "NCDT", "smta", "SDLN", "PANA", "free", "skip", "udta",
    "XMP_", "Xtra", "MTDT", "infi", "thmb", "sefd", "mdat", "LENS", "SETT", "loci",
  ]

  private static let chunkTypes: [FourCC] = ["gps0", "SLLT", "strd", "JUNK", "GPS ", "xgps"]

  /// Samples of data tracks, camera boxes, chunks, trailers and decoder configurations. The first byte selects the format.
  static let formats = FuzzTarget(name: "formats") { bytes in
    guard let choice = bytes.first.map(Int.init) else { return }
    let payload = Array(bytes.dropFirst())
    switch choice {
    case 0..<100:
      let format = sampleFormats[choice % sampleFormats.count]
      let setup = TimedMetadataSetup(
        format: format, handler: "meta", keys: [1: "com.apple.quicktime.location.ISO6709", 2: "com.apple.other"],
        mimeType: "application/meta")
      _ = TimedMetadata.examine(payload, setup: setup)
      if format == "gpmd" {
        let scrubbed = GPMF.removingLocation(from: payload)
        require(!GPMF.hasLocation(in: scrubbed), "positions are left")
        require(scrubbed.count <= payload.count, "a payload grew")
      }
    case 100..<200:
      let type = blockTypes[choice % blockTypes.count]
      let source = MemoryBytes(payload)
      let isUser = type == "uuid" && payload.count >= 24
      let box = Box(
        type: type, userType: isUser ? Array(payload[8..<24]) : nil, path: "moov/udta/\(type)",
        range: 0..<source.byteCount, headerSize: min(isUser ? 24 : 8, payload.count))
      _ = try CameraBlocks.examine(box, in: source)
    case 200..<220:
      let source = MemoryBytes(payload)
      _ = try CameraChunks.examine(chunkTypes[choice % chunkTypes.count], 0..<source.byteCount, in: source)
      _ = try CameraBlocks.examineUnreferencedBytes(0..<source.byteCount, in: source)
    case 220..<240:
      let hevc = DecoderConfiguration.hvcC.removeMessages({ _ in true }, from: payload)
      require(DecoderConfiguration.hvcC.findings(in: hevc).isEmpty, "messages are left in hvcC")
      let av1 = DecoderConfiguration.av1C.removeMessages({ _ in true }, from: payload)
      require(DecoderConfiguration.av1C.findings(in: av1).isEmpty, "metadata is left in av1C")
    default:
      let source = MemoryBytes(payload)
      _ = try CameraBlocks.examineTrailer(0..<source.byteCount, in: source)
    }
  }

  /// Bytes in an unknown format, and a search for the positions found in them.
  static let text = FuzzTarget(name: "text") { bytes in
    let finding = TextPositions.examine(bytes)
    _ = Loci.trace(bytes)
    let search = PositionSearch(known: finding?.trace.kept ?? [])
    require(finding == nil || search.examine(bytes) != nil, "a known position is not found")
    if let blanked = search.blanked(bytes) {
      require(search.examine(blanked) == nil, "a position is left")
    } else {
      require(search.examine(bytes) == nil, "a position has no range")
    }
  }

  /// Units inside samples: each message that is found can be removed, and is not found again.
  static let pictures = FuzzTarget(name: "pictures") { bytes in
    guard let choice = bytes.first else { return }
    let sample = Array(bytes.dropFirst())
    let framings: [VideoFraming] = [
      .h264(lengthSize: 4), .hevc(lengthSize: 4), .h264StartCodes, .hevcStartCodes, .av1, .h264(lengthSize: 2),
      .h264(lengthSize: 1), .hevc(lengthSize: 2),
    ]
    let framing = framings[Int(choice) % framings.count]
    let source = MemoryBytes(sample)
    let found = try AccessUnits.messages(in: 0..<source.byteCount, of: source, framing: framing)
    for attachment in found {
      require(
        attachment.range.lowerBound >= 0 && attachment.range.upperBound <= source.byteCount, "outside of the sample")
    }
    let cut = MemoryBytes(AccessUnits.removeMessages(found, from: sample))
    let left = try AccessUnits.messages(in: 0..<cut.byteCount, of: cut, framing: framing)
    require(left.isEmpty, "\(left.count) attachments are left")
  }

  static let json = FuzzTarget(name: "json") { bytes in
    _ = RallyMetadata.read(bytes: bytes)
  }
}
