import ClipModel
import TestSupport
import Testing
import Upload

/// With any finite script of survivable faults, the bytes arrive in a bounded number of requests.
@Suite struct UploadPropertyTests {
  @Test(arguments: UInt64(1)...60) func uploadSurvivesFiniteFaults(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let byteCount = Int.random(in: 1...(6 * unit), using: &generator)
    let rules = (0..<Int.random(in: 0...8, using: &generator)).map { _ in Self.rule(using: &generator) }
    let fixture = try UploadFixture(byteCount: byteCount, seed: seed)
    let server = try await FaultServer(
      rules, traits: .init(namesSize: Bool.random(using: &generator)))
    let chunkUnits = Int64.random(in: 1...4, using: &generator)
    let adaptsToLink = Bool.random(using: &generator)
    let receipt = try await fixture.upload(
      to: server.url, chunkByteCount: chunkUnits * ChunkLayout.unit, adaptsToLink: adaptsToLink)

    #expect(server.bytes == fixture.bytes, "seed \(seed)")
    #expect(server.isComplete)
    // A fault costs a failed request, a query and a repeated chunk, and one more if a part was stored.
    let chunkCount = (byteCount + unit - 1) / unit
    #expect(server.requests.count <= chunkCount + 4 * rules.count * 2 + 2, "seed \(seed)")
    // On loopback, an adaptive chunk can become as long as the file.
    let longest = adaptsToLink ? Int64(byteCount) : chunkUnits * ChunkLayout.unit
    #expect(receipt.sentByteCount <= Int64(byteCount) + Int64(2 * rules.count + 1) * longest)
    #expect(zip(fixture.saved, fixture.saved.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): an offset decreased")
  }

  /// Faults that lose no confirmed bytes.
  static func rule(using generator: inout SeededGenerator) -> FaultScript.Rule {
    let after = Int.random(in: 0...unit, using: &generator)
    let faults: [Fault] = [
      .status([408, 429, 500, 502, 503, 504].randomElement(using: &generator) ?? 500),
      .earlyStatus(503), .reset(after: after, keeping: Int.random(in: 0...after, using: &generator)),
      .keepOnly(after), .loseAnswer, .closeAfter, .stayOpen,
    ]
    let kinds: [FaultScript.Kind] = [.any, .chunk, .query]
    return FaultScript.Rule(
      faults.randomElement(using: &generator) ?? .closeAfter, on: kinds.randomElement(using: &generator) ?? .any,
      .counted(Int.random(in: 1...2, using: &generator)), skip: Int.random(in: 0...4, using: &generator))
  }
}
