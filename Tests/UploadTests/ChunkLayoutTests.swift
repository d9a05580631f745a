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

  // MARK: Following the link

  /// Chunks of a steady link come to take ten seconds each, from 8 MiB on, and never leave their limits.
  @Test(arguments: [1_000, 20_000, 125_000, 1_250_000, 12_500_000, 1_000_000_000] as [Double])
  func chunksFollowASteadyLink(bytesPerSecond: Double) {
    var layout = ChunkLayout()
    #expect(layout.chunkByteCount == 8 << 20)
    var lengths: [Int64] = []
    for _ in 0..<12 {
      let length = layout.chunkByteCount
      lengths.append(length)
      layout.noteChunk(byteCount: length, took: .seconds(Double(length) / bytesPerSecond))
      #expect(layout.chunkByteCount % Self.unit == 0 && layout.chunkByteCount >= Self.unit)
      #expect(layout.chunkByteCount <= min(2 * length, ChunkLayout.longest))
    }
    let wanted = min(max(10 * bytesPerSecond, Double(Self.unit)), Double(ChunkLayout.longest))
    #expect(abs(Double(layout.chunkByteCount) - wanted) <= Double(Self.unit), "\(lengths)")
  }

  @Test func breaksMakeThemShorterAndTheServersLimitStays() {
    var layout = ChunkLayout(chunkByteCount: 8 * Self.unit)
    layout.noteBreak()
    #expect(layout.chunkByteCount == 4 * Self.unit)
    for _ in 0..<9 { layout.noteBreak() }
    #expect(layout.chunkByteCount == Self.unit)
    var refused = ChunkLayout(chunkByteCount: 8 * Self.unit)
    let isShorter = refused.noteTooLong()
    #expect(isShorter)
    for _ in 0..<5 { refused.noteChunk(byteCount: refused.chunkByteCount, took: .milliseconds(1)) }
    #expect(refused.chunkByteCount == 4 * Self.unit)
  }

  /// What somebody asked for stays; what a server refuses goes all the same.
  @Test func aFixedLengthFollowsNothingButTheServer() {
    var layout = ChunkLayout(chunkByteCount: 4 * Self.unit, isFixed: true)
    layout.noteChunk(byteCount: 4 * Self.unit, took: .milliseconds(1))
    layout.noteBreak()
    #expect(layout.chunkByteCount == 4 * Self.unit)
    let isShorter = layout.noteTooLong()
    #expect(isShorter && layout.chunkByteCount == 2 * Self.unit)
  }

  /// The rest of a file says little of the link.
  @Test func shortChunksSayNothing() {
    var layout = ChunkLayout()
    layout.noteChunk(byteCount: 1000, took: .milliseconds(900))
    #expect(layout.chunkByteCount == 8 << 20)
  }

  static let lengths: [(Int64, Int64)] = [
    (0, unit), (unit - 1, unit), (2 * unit + 1, 2 * unit), (1 << 40, ChunkLayout.longest),
  ]

  @Test(arguments: lengths)
  func lengthIsRoundedDownIntoTheLimits(wished: Int64, expected: Int64) {
    #expect(ChunkLayout(chunkByteCount: wished).chunkByteCount == expected)
  }
}
