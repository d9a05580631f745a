import Testing
import Upload

@Suite struct ChunkLayoutTests {
  static let unit = ChunkLayout.unit

  /// Sizes at which other clients failed: around one unit, around one chunk and above 32 bits.
  static let sizes: [Int64] = [
    1, unit - 1, unit, unit + 1, 4 * unit - 1, 4 * unit, 4 * unit + 1, 8 * unit, 8 * unit + 1, (1 << 32) + 5,
  ]

  @Test(arguments: sizes) func chunksCoverFileOnce(total: Int64) throws {
    let layout = ChunkLayout(chunkByteCount: total > 1 << 31 ? ChunkLayout.longest : 4 * Self.unit)
    var offset: Int64 = 0
    while let chunk = layout.nextChunk(at: offset, available: total, total: total) {
      #expect(chunk.lowerBound == offset)
      #expect(!chunk.isEmpty)
      #expect(chunk.upperBound == total || Int64(chunk.count) % Self.unit == 0)
      offset = chunk.upperBound
    }
    #expect(offset == total)
  }

  @Test func chunkSizeIsMultipleOfUnit() {
    let layout = ChunkLayout(chunkByteCount: 2 * Self.unit)
    #expect(layout.nextChunk(at: 1001, available: 10 * Self.unit, total: 10 * Self.unit) == 1001..<1001 + 2 * Self.unit)
    #expect(
      layout.nextChunk(at: 9 * Self.unit, available: 10 * Self.unit, total: 10 * Self.unit)?.count == Int(Self.unit))
  }

  @Test func growingSourceSendsWholeUnits() {
    let layout = ChunkLayout(chunkByteCount: 2 * Self.unit)
    #expect(layout.nextChunk(at: 0, available: Self.unit + 7, total: nil) == 0..<Self.unit)
    #expect(layout.nextChunk(at: 0, available: Self.unit - 1, total: nil) == nil)
    // One byte stays unsent.
    #expect(layout.nextChunk(at: 0, available: Self.unit, total: nil) == nil)
    #expect(layout.nextChunk(at: 0, available: 2 * Self.unit, total: nil) == 0..<Self.unit)
  }

  // MARK: Adapting to the link

  /// On a steady link, chunks start at 8 MiB, approach ten seconds each, and stay within their limits.
  @Test(arguments: [1_000, 20_000, 125_000, 1_250_000, 12_500_000, 1_000_000_000] as [Double])
  func chunksAdaptToSteadyLink(bytesPerSecond: Double) {
    var layout = ChunkLayout()
    #expect(layout.chunkByteCount == 8 << 20)
    var lengths: [Int64] = []
    for _ in 0..<12 {
      let length = layout.chunkByteCount
      lengths.append(length)
      layout.recordChunk(byteCount: length, took: .seconds(Double(length) / bytesPerSecond))
      #expect(layout.chunkByteCount % Self.unit == 0 && layout.chunkByteCount >= Self.unit)
      #expect(layout.chunkByteCount <= min(2 * length, ChunkLayout.longest))
    }
    let target = min(max(10 * bytesPerSecond, Double(Self.unit)), Double(ChunkLayout.longest))
    #expect(abs(Double(layout.chunkByteCount) - target) <= Double(Self.unit), "\(lengths)")
  }

  @Test func failuresShrinkChunksAndServerLimitStays() {
    var layout = ChunkLayout(chunkByteCount: 8 * Self.unit)
    layout.recordFailedChunk()
    #expect(layout.chunkByteCount == 4 * Self.unit)
    for _ in 0..<9 { layout.recordFailedChunk() }
    #expect(layout.chunkByteCount == Self.unit)
    var refused = ChunkLayout(chunkByteCount: 8 * Self.unit)
    let isShorter = refused.reduceLimit()
    #expect(isShorter)
    for _ in 0..<5 { refused.recordChunk(byteCount: refused.chunkByteCount, took: .milliseconds(1)) }
    #expect(refused.chunkByteCount == 4 * Self.unit)
  }

  @Test func fixedSizeChangesOnlyByServerLimit() {
    var layout = ChunkLayout(chunkByteCount: 4 * Self.unit, isFixed: true)
    layout.recordChunk(byteCount: 4 * Self.unit, took: .milliseconds(1))
    layout.recordFailedChunk()
    #expect(layout.chunkByteCount == 4 * Self.unit)
    let isShorter = layout.reduceLimit()
    #expect(isShorter && layout.chunkByteCount == 2 * Self.unit)
  }

  /// The last bytes of a file say little about the link.
  @Test func shortChunksDoNotChangeSize() {
    var layout = ChunkLayout()
    layout.recordChunk(byteCount: 1000, took: .milliseconds(900))
    #expect(layout.chunkByteCount == 8 << 20)
  }

  static let lengths: [(Int64, Int64)] = [
    (0, unit), (unit - 1, unit), (2 * unit + 1, 2 * unit), (1 << 40, ChunkLayout.longest),
  ]

  @Test(arguments: lengths)
  func sizeIsRoundedAndClamped(requested: Int64, expected: Int64) {
    #expect(ChunkLayout(chunkByteCount: requested).chunkByteCount == expected)
  }
}
