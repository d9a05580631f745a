/// Inserts chunks into an AVI file of ffmpeg. Readers find frames by offsets relative to the list that contains
/// them (`idx1`), so the list may move.
struct RIFFEdit {
  private struct Chunk {
    var id: String
    var content: [UInt8]

    var bytes: [UInt8] {
      Array(id.utf8) + UInt32(content.count).littleEndianBytes + content + zeros(content.count % 2)
    }
  }

  private var chunks: [Chunk]

  init(_ file: [UInt8]) { chunks = Self.chunks(of: file.dropFirst(12)) }

  /// Adds a chunk after the headers, before the frames.
  mutating func insert(_ id: String, _ content: [UInt8]) {
    chunks.insert(Chunk(id: id, content: content), at: min(1, chunks.count))
  }

  /// Adds a chunk to the headers of the first stream.
  mutating func insertIntoFirstStream(_ id: String, _ content: [UInt8]) {
    guard let headers = index(of: "hdrl", in: chunks) else { return }
    var lists = Self.chunks(of: chunks[headers].content.dropFirst(4))
    guard let stream = index(of: "strl", in: lists) else { return }
    lists[stream].content += Chunk(id: id, content: content).bytes
    chunks[headers].content = Array("hdrl".utf8) + lists.flatMap(\.bytes)
  }

  var bytes: [UInt8] {
    let content = Array("AVI ".utf8) + chunks.flatMap(\.bytes)
    return Array("RIFF".utf8) + UInt32(content.count).littleEndianBytes + content
  }

  private func index(of kind: String, in chunks: [Chunk]) -> Int? {
    chunks.firstIndex { $0.id == "LIST" && $0.content.starts(with: Array(kind.utf8)) }
  }

  private static func chunks(of bytes: ArraySlice<UInt8>) -> [Chunk] {
    var chunks: [Chunk] = []
    var rest = bytes
    while rest.count >= 8 {
      let size = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      let id = String(decoding: rest.prefix(4), as: UTF8.self)
      chunks.append(Chunk(id: id, content: Array(rest.dropFirst(8).prefix(size))))
      rest = rest.dropFirst(8 + size + size % 2)
    }
    return chunks
  }
}
