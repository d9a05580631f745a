internal import ISOMedia

/// One chunk of a RIFF file: where it is, not what is in it.
struct Chunk: Equatable {
  var type: FourCC
  /// The type of what a `RIFF` or `LIST` holds; its payload begins behind it.
  var listType: FourCC?
  /// Which of its kind in its parent, from 1.
  var ordinal: Int
  /// Header and payload, in bytes of the file, without the padding byte; never beyond the parent.
  var range: Range<Int64>
  /// Bytes that the header claims behind the end of the parent: damage, or a truncated file.
  var overrun: Int64

  var payload: Range<Int64> { min(range.lowerBound + (listType == nil ? 8 : 12), range.upperBound)..<range.upperBound }

  /// `idx1`, `LIST strl`; the second of its kind is numbered.
  var name: String {
    let name = listType.map { type == "RIFF" ? "RIFF" : "LIST \($0)" } ?? "\(type)"
    return name + (ordinal > 1 ? "[\(ordinal)]" : "")
  }
}

/// Walks the chunks of a range, one header at a time. It ends at the first thing that is no chunk.
struct ChunkReader {
  private let source: any ByteSource
  private let end: Int64
  private var position: Int64
  private var counts: [[FourCC?]: Int] = [:]
  /// More kinds than any format has; a hostile file must not fill the memory.
  private static let countLimit = 512
  /// Why it ended before the end of the range.
  private(set) var problem: String?

  init(source: any ByteSource, range: Range<Int64>) {
    self.source = source
    position = max(0, range.lowerBound)
    end = min(range.upperBound, source.byteCount)
  }

  /// Bytes that no chunk accounts for; complete once `next` has given `nil`.
  var rest: Range<Int64> { position..<max(position, end) }

  mutating func next() throws(ISOMediaError) -> Chunk? {
    guard problem == nil, end - position >= 8 else { return nil }
    var cursor = ByteCursor(try source.bytes(in: position..<end, atMost: 12))
    guard let type = cursor.fourCC(), type.isPrintable, let size = cursor.u32()?.byteSwapped else {
      problem = "no chunk at byte \(position)"
      return nil
    }
    let listType = type == "RIFF" || type == "LIST" ? cursor.fourCC() : nil
    let left = end - position - 8
    // `AVI ` is followed by `AVIX` where a file is longer than a gigabyte.
    let kind = [type, type == "RIFF" ? nil : listType]
    let count = counts[kind, default: 0] + 1
    if counts.count < Self.countLimit { counts[kind] = count }
    let start = position
    let stop = start + 8 + min(Int64(size), left)
    // Chunks begin at even offsets.
    position = min(stop + Int64(size & 1), end)
    return Chunk(
      type: type, listType: listType, ordinal: count, range: start..<stop, overrun: max(0, Int64(size) - left))
  }
}
