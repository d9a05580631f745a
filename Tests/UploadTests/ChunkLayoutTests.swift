import Testing
import Upload

@Suite struct ChunkLayoutTests {
  static let unit = ChunkLayout.unit

  /// The sizes at which other clients went wrong: around one unit, one chunk and beyond 32 bits.
  static let sizes: [Int64] = [
    1, unit - 1, unit, unit + 1, 4 * unit - 1, 4 * unit, 4 * unit + 1, 8 * unit, 8 * unit + 1, (1 << 32) + 5,
  ]

  @Test(arguments: sizes) func chunksCoverTheFileOnce(total: Int64) throws {
    let layout = ChunkLayout(chunkByteCount: total > 1 << 31 ? ChunkLayout.longest : 4 * Self.unit)
    var offset: Int64 = 0
    while let chunk = layout.chunk(at: offset, available: total, total: total) {
      #expect(chunk.lowerBound == offset)
      #expect(!chunk.isEmpty)
      #expect(chunk.upperBound == total || Int64(chunk.count) % Self.unit == 0)
      offset = chunk.upperBound
    }
    #expect(offset == total)
  }

  @Test func chunkLengthIsAMultipleOfTheUnitFromAnyOffset() {
    let layout = ChunkLayout(chunkByteCount: 2 * Self.unit)
    #expect(layout.chunk(at: 1001, available: 10 * Self.unit, total: 10 * Self.unit) == 1001..<1001 + 2 * Self.unit)
    #expect(layout.chunk(at: 9 * Self.unit, available: 10 * Self.unit, total: 10 * Self.unit)?.count == Int(Self.unit))
  }

  @Test func growingSourceGetsWholeUnitsOnly() {
    let layout = ChunkLayout(chunkByteCount: 2 * Self.unit)
    #expect(layout.chunk(at: 0, available: Self.unit + 7, total: nil) == 0..<Self.unit)
    #expect(layout.chunk(at: 0, available: Self.unit - 1, total: nil) == nil)
  }

  static let lengths: [(Int64, Int64)] = [
    (0, unit), (unit - 1, unit), (2 * unit + 1, 2 * unit), (1 << 40, ChunkLayout.longest),
  ]

  @Test(arguments: lengths)
  func lengthIsRoundedDownIntoTheLimits(wished: Int64, expected: Int64) {
    #expect(ChunkLayout(chunkByteCount: wished).chunkByteCount == expected)
  }
}
