/// Reads the 16, 32 and 64-bit entries of a sample table in order, a block at a time, so that memory stays flat.
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

  mutating func u8() throws(ISOMediaError) -> UInt8? {
    try fill(1)
    return block.u8()
  }

  mutating func u16() throws(ISOMediaError) -> UInt16? {
    try fill(2)
    return block.u16()
  }

  mutating func u32() throws(ISOMediaError) -> UInt32? {
    try fill(4)
    return block.u32()
  }

  mutating func u64() throws(ISOMediaError) -> UInt64? {
    try fill(8)
    return block.u64()
  }

  private mutating func fill(_ count: Int) throws(ISOMediaError) {
    guard block.remaining < count, position < end else { return }
    let kept = block.take(block.remaining) ?? []
    let more = try source.bytes(in: position..<end, atMost: 16 << 10)
    position = more.isEmpty ? end : position + Int64(more.count)
    block = ByteCursor(kept + more)
  }
}
