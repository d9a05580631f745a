import ClipModel
import Testing

@testable import LocalBackend

@Suite struct ContentRangeTests {
  @Test(arguments: [
    ("bytes 0-0/1", ContentRange.bytes(0..<1, total: 1)),
    ("bytes 5-9/*", .bytes(5..<10, total: nil)),
    ("Bytes  0-262143/5000000000", .bytes(0..<262_144, total: 5_000_000_000)),
    ("bytes */*", .query(total: nil)),
    ("bytes */0", .query(total: 0)),
    ("bytes */77", .query(total: 77)),
  ])
  func validRangesAreParsed(_ text: String, _ expected: ContentRange) { #expect(ContentRange(text) == expected) }

  @Test(arguments: [
    "", "bytes", "bytes 0-1", "bytes=0-1/2", "bytes 1-0/2", "bytes 0-2/2", "bytes -1-0/2", "bytes 0-/2", "bytes +0-1/2",
    "items 0-1/2", "bytes 0-1/2/3", "bytes 0-99999999999999999999/*", "bytes 0-9223372036854775807/*", "bytes 10-9/10",
    "bytes */-1", "bytes ０-1/2", "bytes 0-1/2 x",
  ])
  func invalidRangesAreRejected(_ text: String) { #expect(ContentRange(text) == nil) }
}

@Suite struct ChunkDecisionTests {
  static let mib: Int64 = 1 << 20
  static let changed = ChunkDecision.reject(.malformed(ChunkDecision.totalChanged))

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var range: String?
    var length: Int64?
    var stored: Int64 = 0
    var total: Int64?
    var expected: ChunkDecision
    var testDescription: String { name }
  }

  static func receive(_ skipping: Int64, _ writing: Range<Int64>, _ total: Int64?) -> ChunkDecision {
    .receive(.init(skipping: skipping, writing: writing, total: total))
  }

  static let cases: [Case] = [
    Case(name: "whole file without range", length: 10, expected: receive(0, 0..<10, 10)),
    Case(name: "whole file with range", range: "bytes 0-9/10", length: 10, expected: receive(0, 0..<10, 10)),
    Case(
      name: "whole file again after a part", length: mib + 1, stored: 262_144, total: mib + 1,
      expected: receive(262_144, 262_144..<(mib + 1), mib + 1)),
    Case(
      name: "first chunk", range: "bytes 0-262143/1000000", length: 262_144,
      expected: receive(0, 0..<262_144, 1_000_000)),
    Case(
      name: "chunk of unknown total", range: "bytes 0-262143/*", length: 262_144, expected: receive(0, 0..<262_144, nil)
    ),
    Case(
      name: "last chunk of unknown total", range: "bytes 262144-262150/262151", length: 7, stored: 262_144,
      expected: receive(0, 262_144..<262_151, 262_151)),
    Case(
      name: "overlap", range: "bytes 0-524287/1000000", length: 524_288, stored: 300_000, total: 1_000_000,
      expected: receive(300_000, 300_000..<524_288, 1_000_000)),
    Case(
      name: "repeated chunk", range: "bytes 0-262143/1000000", length: 262_144, stored: 524_288, total: 1_000_000,
      expected: receive(262_144, 524_288..<524_288, 1_000_000)),
    Case(
      name: "last chunk again, all stored", range: "bytes 0-262143/262144", length: 262_144, stored: 262_144,
      expected: receive(262_144, 262_144..<262_144, 262_144)),
    Case(name: "gap", range: "bytes 262144-524287/1000000", length: 262_144, expected: .reject(.gap)),
    Case(
      name: "total changed", range: "bytes 0-262143/1000001", length: 262_144, total: 1_000_000, expected: changed),
    Case(name: "total below what is stored", range: "bytes 0-9/10", length: 10, stored: 20, expected: changed),
    Case(name: "beyond the total", range: "bytes 0-262143/*", length: 262_144, total: 262_143, expected: changed),
    Case(name: "open query", range: "bytes */*", length: 0, stored: 10, total: 10, expected: .report),
    Case(
      name: "closing query, all there", range: "bytes */10", length: 0, stored: 10, expected: .finish(byteCount: 10)),
    Case(name: "closing query, not all there", range: "bytes */11", length: 0, stored: 10, expected: .report),
    Case(
      name: "closing query, more than there should be", range: "bytes */9", length: 0, stored: 10, expected: changed),
    Case(name: "closing query, other total", range: "bytes */11", length: 0, stored: 5, total: 10, expected: changed),
    Case(name: "no length", range: "bytes 0-9/10", expected: .reject(.lengthMissing)),
    Case(
      name: "too large", range: "bytes 0-262143/99999999999", length: 262_144,
      expected: .reject(.tooLarge(limit: mib << 10))),
  ]

  @Test(arguments: cases) func decisionsFollowTheProtocol(_ one: Case) {
    #expect(
      ChunkDecision.make(
        contentRange: one.range, contentLength: one.length, stored: one.stored, total: one.total, limit: Self.mib << 10)
        == one.expected)
  }

  @Test(
    arguments: [
      ("bytes 0-262142/1000000", 262_143), ("bytes 0-262144/1000000", 262_145), ("bytes 0-0/*", 1),
      ("bytes 0-9/10", 9), ("bytes 0-9/10", 11), ("bytes */10", 1), ("bytes */0", 0), ("nonsense", 10),
    ] as [(String, Int64)])
  func malformedRequestsAreRejected(_ range: String, _ length: Int64) {
    let decision = ChunkDecision.make(contentRange: range, contentLength: length, stored: 0, total: nil, limit: 1 << 40)
    guard case .reject(.malformed) = decision else {
      Issue.record("\(decision)")
      return
    }
  }

  /// Status queries don't need the size.
  @Test func unknownSizeCanBeRejected() {
    func decide(_ range: String, _ length: Int64) -> ChunkDecision {
      ChunkDecision.make(
        contentRange: range, contentLength: length, stored: 0, total: nil, limit: 1 << 40, acceptsUnknownSize: false)
    }
    guard case .reject(.malformed) = decide("bytes 0-262143/*", 262_144) else {
      Issue.record("the chunk was accepted")
      return
    }
    #expect(decide("bytes 0-262143/300000", 262_144) == Self.receive(0, 0..<262_144, 300_000))
    #expect(decide("bytes */*", 0) == .report)
  }

  @Test func anEmptyFileIsRejected() {
    let decision = ChunkDecision.make(contentRange: nil, contentLength: 0, stored: 0, total: nil, limit: 100)
    #expect(decision == .reject(.malformed("the file is empty")))
  }
}
