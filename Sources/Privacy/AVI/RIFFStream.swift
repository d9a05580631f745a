internal import ISOMedia
internal import LocationFormats

/// The fields of a stream header list (`strl`) that determine how to check the stream's packets.
struct RIFFStream {
  private(set) var type: FourCC = "    "
  private(set) var inspection = SampleInspection.opaque(kind: "avi-unknown-stream")
  /// The findings in the decoder configuration.
  private(set) var setupFindings: [PayloadFinding] = []

  /// Reads `strh` (type and handler) and `strf`. In a video stream, `strf` contains a 40-byte `BITMAPINFOHEADER`, whose
  /// fifth field is the format, followed by the decoder configuration.
  init(_ list: RIFFChunk, in source: any ByteSource) throws(ISOMediaError) {
    var reader = ChunkReader(source: source, range: list.payload)
    var format: [UInt8] = []
    while let chunk = try reader.next() {
      switch chunk.type {
      case "strh":
        var cursor = ByteCursor(try source.bytes(in: chunk.payload, atMost: 4))
        type = cursor.fourCC() ?? type
      case "strf": format = try source.bytes(in: chunk.payload, atMost: 1 << 16)
      default: break
      }
    }
    switch type {
    case "vids":
      let setup = Array(format.dropFirst(40))
      inspection = SampleInspection(codec: VideoFourCC.libavName(ofBitmapHeader: format), setup: setup)
      setupFindings = try inspection.findings(inSetup: setup)
    case "auds": inspection = .none
    case "txts": inspection = .text
    default: break
    }
  }

  /// The maximum number of distinct `strd` values to collect. Real files have one or two.
  private static let additionalLimit = 32

  /// Returns the additional data (`strd`) of a file's streams, which libav uses as decoder configurations.
  /// - Parameters:
  ///   - range: a part of the file; `nil` for the entire file.
  ///   - depth: the nesting depth of that part in `RIFF`, `hdrl` and `strl`.
  static func additionalData(
    of source: any ByteSource, in range: Range<Int64>? = nil, depth: Int = 0
  ) throws(ISOMediaError) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    var reader = ChunkReader(source: source, range: range ?? 0..<source.byteCount)
    while found.count < additionalLimit, let chunk = try reader.next() {
      if chunk.type == "strd" {
        found.insert(try source.bytes(in: chunk.payload, atMost: 1 << 20))
      } else if let list = chunk.listType, depth < 3, ["AVI ", "hdrl", "strl"].contains(list) {
        found.formUnion(try additionalData(of: source, in: chunk.payload, depth: depth + 1))
      }
      // Packets follow the headers, so the search can stop here.
      if chunk.listType == "movi" { break }
    }
    return found
  }

  func makeLabel(_ index: Int) -> String { "stream \(index + 1) (\(type))" }
}

/// The chunk types that are part of the AVI format and need a detailed check.
enum AVIChunk {
  /// Returns the size of the used part of an unused index; only zeros follow this part. In files that are too short for
  /// OpenDML, libav's muxer leaves an index table (four words per entry, kind, count, packet type, 12 bytes) or a list
  /// with the frame count as padding.
  static func sizeOfUnusedIndex(_ start: [UInt8]) -> Int64? {
    if start.starts(with: "odmldmlh".utf8) { return 16 }
    let isTable =
      start.starts(with: [4, 0, 0, 0]) && start.dropFirst(8).prefix(2).allSatisfy { (0x30...0x39).contains($0) }
    return isTable ? 24 : nil
  }

  /// Returns a name for an `INFO` entry that `KeyValueMetadata` can classify.
  static func infoName(_ type: FourCC) -> String {
    switch type {
    case "ICRD", "IDIT", "IDPI": "date \(type)"
    case "IART", "ITCH", "IENG", "ICMS": "artist \(type)"
    case "ISMP": "timecode \(type)"
    default: "\(type)"
    }
  }
}

/// Maps AVI's video format codes to codecs.
enum VideoFourCC {
  /// Returns the libav name of a codec whose frames can contain messages.
  /// - Parameter header: a `BITMAPINFOHEADER`, whose fifth field is the format.
  static func libavName(ofBitmapHeader header: [UInt8]) -> String? {
    var cursor = ByteCursor(header)
    guard cursor.skip(16), let code = cursor.fourCC() else { return nil }
    return switch code.description.uppercased() {
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
