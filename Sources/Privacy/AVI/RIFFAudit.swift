internal import ClipModel
package import ISOMedia
package import LocationFormats

/// Finds what an AVI file discloses beside the film: cameras' own chunks, text entries, text streams, Exif and XMP, old
/// data in padding, messages inside the pictures, and bytes that no chunk accounts for.
package struct RIFFAudit {
  private let source: any ByteSource
  private let search: PositionSearch
  private var list: CarrierList
  private var streams: [RIFFStream] = []
  private var samples: [FindingList] = []

  /// Lists nest less than half as deep.
  private static let depthLimit = 12
  /// Of one text entry or one packet of text.
  private static let textLimit = 1 << 20
  /// Two decimal digits number the streams.
  private static let streamLimit = 100

  /// - Parameter search: for positions in everything that is neither video nor audio.
  package init(source: any ByteSource, search: PositionSearch = .blind) {
    self.source = source
    self.search = search
    list = CarrierList(source: source, search: search)
  }

  /// What could not be judged, in words; complete once `carriers` has answered.
  package var unread: [String] { list.unread }

  package mutating func carriers() throws(ISOMediaError) -> [FoundCarrier] {
    try walk(0..<source.byteCount, path: "", parent: nil, depth: 0)
    for (index, stream) in streams.enumerated() {
      list.add(samples[index], of: stream.reading, place: stream.place(index), trackIndex: index)
    }
    return list.carriers
  }

  // MARK: Chunks

  private mutating func walk(
    _ range: Range<Int64>, path: String, parent: FourCC?, depth: Int
  ) throws(ISOMediaError) {
    var reader = ChunkReader(source: source, range: range)
    while let chunk = try reader.next() {
      if chunk.overrun > 0 { list.note("\(chunk.name) is cut off at the end of the file") }
      try take(chunk, path: path, parent: parent, depth: depth)
    }
    if let problem = reader.problem { list.note("\(path.isEmpty ? "" : path + ": ")\(problem)") }
    guard !reader.rest.isEmpty else { return }
    try list.addLeftover(reader.rest, place: path.isEmpty ? "behind the last chunk" : "\(path), unaccounted bytes")
  }

  private mutating func take(
    _ chunk: Chunk, path parentPath: String, parent: FourCC?, depth: Int
  ) throws(ISOMediaError) {
    // `movi` holds most chunks of a file: no path is made for the packets.
    if parent == "movi" || parent == "rec ", chunk.listType == nil, try readPacket(chunk) { return }
    let path = (parentPath.isEmpty ? "" : parentPath + "/") + chunk.name
    guard let listType = chunk.listType, depth < Self.depthLimit else {
      return try search(chunk, path: path, parent: parent)
    }
    if listType == "strl" { try addStream(chunk) }
    if CameraChunks.lists.contains(listType) {
      try searchCameraList(chunk, path: path)
    } else {
      try walk(chunk.payload, path: path, parent: listType, depth: depth + 1)
    }
  }

  /// Tables and headers of the format itself, which have no room for a position.
  private static let plain: Set<FourCC> = [
    "avih", "strh", "vprp", "dmlh", "idx1", "indx", "fmt ", "fact", "hdr ",
  ]

  private mutating func search(_ chunk: Chunk, path: String, parent: FourCC?) throws(ISOMediaError) {
    if Self.plain.contains(chunk.type) { return }
    if parent == "INFO" || parent == "INF0" || ["IDIT", "ISMP"].contains(chunk.type) {
      let value = try source.bytes(in: chunk.payload, atMost: Self.textLimit)
      if let finding = NamedText.examine(name: AVIChunk.infoName(chunk.type), value: value, search: search) {
        list.add(finding, place: path, range: chunk.range)
      }
      return
    }
    let camera = try CameraChunks.examine(chunk.type, chunk.payload, in: source)
    if let camera, !camera.trace.isEmpty { return list.add(camera, place: path, range: chunk.range) }
    let bytes = try UnreferencedBytes(chunk.payload, of: source, search: search)
    if let finding = bytes.finding ?? camera { return list.add(finding, place: path, range: chunk.range) }
    // The format of a stream is for its decoder.
    if chunk.type == "strf" { return }
    let start = try source.bytes(in: chunk.payload, atMost: 64)
    if chunk.type == "JUNK", let size = AVIChunk.sizeOfUnusedIndex(start), try isBlank(chunk, from: size) { return }
    // Names of streams and programs that pad with their own text.
    if !bytes.isText { list.addLeftover(bytes, kind: "unknown-chunk", place: path, range: chunk.range) }
  }

  private func isBlank(_ chunk: Chunk, from offset: Int64) throws(ISOMediaError) -> Bool {
    let start = min(chunk.payload.lowerBound + offset, chunk.payload.upperBound)
    return try UnreferencedBytes(start..<chunk.payload.upperBound, of: source, search: search).isBlank
  }

  /// A camera maker's list: what is in it is about the camera, if it is not about the place.
  private mutating func searchCameraList(_ chunk: Chunk, path: String) throws(ISOMediaError) {
    let bytes = try UnreferencedBytes(chunk.payload, of: source, search: search)
    let finding = bytes.finding ?? PayloadFinding(kind: "avi-camera-block", disclosure: .identity)
    if !bytes.isBlank { list.add(finding, place: path, range: chunk.range) }
  }

  // MARK: Streams

  private mutating func addStream(_ strl: Chunk) throws(ISOMediaError) {
    guard streams.count < Self.streamLimit else { return list.note("more than \(Self.streamLimit) streams") }
    let stream = try RIFFStream(strl, in: source)
    streams.append(stream)
    samples.append(FindingList(stream.setupFindings))
  }

  /// A packet: the stream's number in two digits, and two letters.
  /// - Returns: `false` when it is no packet of a stream.
  private mutating func readPacket(_ chunk: Chunk) throws(ISOMediaError) -> Bool {
    let digits = "\(chunk.type)".prefix(2)
    // The index of a stream is a packet among others.
    if digits == "ix" { return true }
    guard digits.allSatisfy(\.isNumber), let index = Int(digits), streams.indices.contains(index) else { return false }
    let findings = try streams[index].reading.findings(in: chunk.payload, of: source, search: search)
    for finding in findings { samples[index].add(finding) }
    // Cameras put records of their own into text streams.
    if streams[index].reading == .text, findings.isEmpty,
      !UnreferencedBytes(try source.bytes(in: chunk.payload, atMost: Self.textLimit)).isText
    {
      samples[index].add(PayloadFinding(kind: "avi-binary-text", disclosure: .opaque))
    }
    return true
  }
}
