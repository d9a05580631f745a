internal import ISOMedia
internal import LocationFormats

/// A stream header list (`strl`), as far as it decides how the stream's packets are read.
struct RIFFStream {
  private(set) var type: FourCC = "    "
  /// How the packets are looked at.
  private(set) var reading = SampleReading.opaque(kind: "avi-unknown-stream")
  /// What rides in the decoder's setup.
  private(set) var setupFindings: [PayloadFinding] = []

  /// `strh`: type, handler. `strf` of a picture: `BITMAPINFOHEADER`, 40 bytes with the format in the fifth field, and
  /// behind it what the decoder needs.
  init(_ list: Chunk, in source: any ByteSource) throws(ISOMediaError) {
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
      var cursor = ByteCursor(format)
      let code = cursor.skip(16) ? cursor.fourCC() : nil
      let setup = Array(format.dropFirst(40))
      let coding = code.flatMap(VideoFourCC.libavName).flatMap { PictureCoding(codec: $0, setup: setup) }
      reading = coding.map(SampleReading.pictures) ?? .none
      setupFindings = try coding?.findings(inSetup: setup) ?? []
    case "auds": reading = .none
    case "txts": reading = .text
    default: break
    }
  }

  /// Of different ones: real files have one or two.
  private static let additionalLimit = 32

  /// The additional data (`strd`) of the streams of a file, which libav takes for decoders' setups.
  /// - Parameters:
  ///   - range: a part of the file; `nil` for all of it.
  ///   - depth: of the part: in `RIFF`, `hdrl` and `strl`.
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
      // Packets follow the headers.
      if chunk.listType == "movi" { break }
    }
    return found
  }

  func place(_ index: Int) -> String { "stream \(index + 1) (\(type))" }
}

/// Chunks of the format itself that need a second look.
enum AVIChunk {
  /// What libav's writer leaves as padding in files that are not long enough to need it (OpenDML): a table of indexes
  /// (four words an entry, kind, count, type of packets, 12 bytes), or a list with the number of frames.
  /// - Returns: its bytes in use, behind which there are zeros only.
  static func sizeOfUnusedIndex(_ start: [UInt8]) -> Int64? {
    if start.starts(with: "odmldmlh".utf8) { return 16 }
    let isTable =
      start.starts(with: [4, 0, 0, 0]) && start.dropFirst(8).prefix(2).allSatisfy { (0x30...0x39).contains($0) }
    return isTable ? 24 : nil
  }

  /// The entries of `INFO` whose purpose discloses something, in words.
  static func infoName(_ type: FourCC) -> String {
    switch type {
    case "ICRD", "IDIT", "IDPI": "date \(type)"
    case "IART", "ITCH", "IENG", "ICMS": "artist \(type)"
    case "ISMP": "timecode \(type)"
    default: "\(type)"
    }
  }
}
