/// Reads the entries of a sample table in order. To limit memory use, it reads one block at a time.
struct TableReader {
  private let source: any ByteSource
  private var position: Int64
  private let end: Int64
  private var block = ByteCursor([])

  init(source: any ByteSource, range: Range<Int64>) {
    self.source = source
    position = range.lowerBound
    end = range.upperBound
  }

  mutating func u32() throws(ISOMediaError) -> UInt32? {
    try unsigned(byteCount: 4).map { UInt32(truncatingIfNeeded: $0) }
  }

  mutating func unsigned(byteCount: Int) throws(ISOMediaError) -> UInt64? {
    try fillBlock(byteCount)
    return block.unsigned(byteCount: byteCount)
  }

  private mutating func fillBlock(_ count: Int) throws(ISOMediaError) {
    guard block.remaining < count, position < end else { return }
    let kept = block.take(block.remaining) ?? []
    let more = try source.bytes(in: position..<end, atMost: 16 << 10)
    position = more.isEmpty ? end : position + Int64(more.count)
    block = ByteCursor(kept + more)
  }
}
