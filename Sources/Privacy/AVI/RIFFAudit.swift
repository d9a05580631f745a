internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Finds private metadata in an AVI file: camera chunks, text entries, text streams, Exif and XMP, leftover data in
/// padding, embedded messages in video, and unreferenced bytes.
struct RIFFAudit: ContainerAudit {
  private(set) var list: CarrierList
  private var streams: [RIFFStream] = []
  private var samples: [FindingList] = []

  /// The maximum nesting depth of lists. Real files need less than half of it.
  private static let depthLimit = 12
  /// The maximum size of a text entry or text packet to search.
  private static let textLimit = 1 << 20
  /// The maximum number of streams, because stream numbers have two decimal digits.
  private static let streamLimit = 100

  init(list: CarrierList) { self.list = list }

  mutating func run() throws(ISOMediaError) {
    try examineChunks(0..<list.source.byteCount, path: "", parent: nil, depth: 0)
    for (index, stream) in streams.enumerated() {
      list.add(samples[index], of: stream.inspection, place: stream.makeLabel(index), trackIndex: index)
    }
  }

  // MARK: Chunks

  private mutating func examineChunks(
    _ range: Range<Int64>, path: String, parent: FourCC?, depth: Int
  ) throws(ISOMediaError) {
    var reader = ChunkReader(source: list.source, range: range)
    while let chunk = try reader.next() {
      if chunk.overrun > 0 { list.addUnreadPart("\(chunk.name) is truncated at the end of the file") }
      try examine(chunk, path: path, parent: parent, depth: depth)
    }
    try list.addTrailingBytes(reader.rest, after: reader.problem, path: path, term: RIFFChunk.term)
  }

  private mutating func examine(
    _ chunk: RIFFChunk, path parentPath: String, parent: FourCC?, depth: Int
  ) throws(ISOMediaError) {
    // Most chunks in a file are packets in `movi`, which don't need a path.
    if parent == "movi" || parent == "rec ", chunk.listType == nil, try examinePacket(chunk) { return }
    let path = (parentPath.isEmpty ? "" : parentPath + "/") + chunk.name
    guard let listType = chunk.listType, depth < Self.depthLimit else {
      return try examineContent(of: chunk, path: path, parent: parent)
    }
    if listType == "strl" { try addStream(chunk) }
    if CameraChunks.lists.contains(listType) {
      try examineCameraList(chunk, path: path)
    } else {
      try examineChunks(chunk.payload, path: path, parent: listType, depth: depth + 1)
    }
  }

  /// These are the format's own tables and headers, which can't contain a position.
  private static let plain: Set<FourCC> = [
    "avih", "strh", "vprp", "dmlh", "idx1", "indx", "fmt ", "fact", "hdr ",
  ]

  private mutating func examineContent(of chunk: RIFFChunk, path: String, parent: FourCC?) throws(ISOMediaError) {
    if Self.plain.contains(chunk.type) { return }
    if parent == "INFO" || parent == "INF0" || ["IDIT", "ISMP"].contains(chunk.type) {
      let value = try list.source.bytes(in: chunk.payload, atMost: Self.textLimit)
      let name = AVIChunk.infoName(chunk.type)
      if let finding = KeyValueMetadata.examine(name: name, value: value, search: list.search) {
        list.add(finding, place: path, range: chunk.range)
      }
      return
    }
    let camera = try CameraChunks.examine(chunk.type, chunk.payload, in: list.source)
    if let camera, !camera.trace.isEmpty { return list.add(camera, place: path, range: chunk.range) }
    let bytes = try ExaminedBytes(chunk.payload, of: list.source, search: list.search)
    if let finding = bytes.finding ?? camera { return list.add(finding, place: path, range: chunk.range) }
    // The `strf` chunk contains a stream's decoder configuration.
    if chunk.type == "strf" { return }
    let start = try list.source.bytes(in: chunk.payload, atMost: 64)
    if chunk.type == "JUNK", let size = AVIChunk.sizeOfUnusedIndex(start), try isBlank(chunk, from: size) { return }
    // The text is a stream name, or padding that contains a program's name.
    if !bytes.isText { list.add(bytes, kind: "unknown-chunk", place: path, range: chunk.range) }
  }

  private func isBlank(_ chunk: RIFFChunk, from offset: Int64) throws(ISOMediaError) -> Bool {
    let start = min(chunk.payload.lowerBound + offset, chunk.payload.upperBound)
    return try ExaminedBytes(start..<chunk.payload.upperBound, of: list.source, search: list.search).isBlank
  }

  /// Adds an identity finding for a camera maker's list, or a location finding if the list contains a position.
  private mutating func examineCameraList(_ chunk: RIFFChunk, path: String) throws(ISOMediaError) {
    let bytes = try ExaminedBytes(chunk.payload, of: list.source, search: list.search)
    let finding = bytes.finding ?? PayloadFinding(kind: "avi-camera-block", disclosure: .identity)
    if !bytes.isBlank { list.add(finding, place: path, range: chunk.range) }
  }

  // MARK: Streams

  private mutating func addStream(_ strl: RIFFChunk) throws(ISOMediaError) {
    guard streams.count < Self.streamLimit else {
      return list.addUnreadPart("the file has more than \(Self.streamLimit) streams")
    }
    let stream = try RIFFStream(strl, in: list.source)
    streams.append(stream)
    samples.append(FindingList(stream.setupFindings))
  }

  /// Checks a packet. The name of a packet consists of the two-digit stream number and two letters.
  /// - Returns: `false` if the chunk is not a packet.
  private mutating func examinePacket(_ chunk: RIFFChunk) throws(ISOMediaError) -> Bool {
    let digits = "\(chunk.type)".prefix(2)
    // A stream's index is stored among its packets.
    if digits == "ix" { return true }
    guard digits.allSatisfy(\.isNumber), let index = Int(digits), streams.indices.contains(index) else { return false }
    let inspection = streams[index].inspection
    let findings = try inspection.findings(in: chunk.payload, of: list.source, search: list.search)
    for finding in findings { samples[index].add(finding) }
    // Some cameras write binary records to text streams.
    if inspection == .text, findings.isEmpty,
      !ExaminedBytes(try list.source.bytes(in: chunk.payload, atMost: Self.textLimit)).isText
    {
      samples[index].add(PayloadFinding(kind: "avi-binary-text", disclosure: .opaque))
    }
    return true
  }
}
