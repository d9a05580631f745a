import ISOMedia
import Testing

@testable import Privacy

@Suite struct PlannedBytesTests {
  private static let source = MemoryBytes(Array(0..<100))
  private static let pieces: [FilePiece] = [
    .bytes([]), .bytes([200, 201]), .copy(10..<10), .copy(10..<20), .bytes([202]), .copy(90..<100), .bytes([]),
  ]
  private static let whole: [UInt8] = [200, 201] + Array(10..<20) + [202] + Array(90..<100)

  @Test func everyRangeMatchesTheWrittenFile() throws {
    let planned = PlannedBytes(Self.pieces, of: Self.source)
    let written = MemoryBytes(Self.whole)
    #expect(planned.byteCount == written.byteCount)
    for offset in -1...written.byteCount {
      for count in 0...Self.whole.count + 1 {
        #expect(try planned.bytes(at: offset, count: count) == written.bytes(at: offset, count: count))
      }
    }
    #expect(try planned.bytes(at: 1, count: .max) == Array(Self.whole.dropFirst()))
  }

  @Test func noPiecesYieldNoBytes() throws {
    #expect(try PlannedBytes([], of: Self.source).bytes(at: 0, count: 10).isEmpty)
  }
}
