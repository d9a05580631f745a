import ClipModel
import Testing

@testable import ShareEngine

@Suite struct ShardTests {
  @Test(arguments: [1, 2, 3, 4, 7, 100]) func everyNameIsOwnedOnce(count: Int) throws {
    let shards = try (0..<count).map { try #require(Shard(index: $0, count: count)) }
    let names = (0..<5000).map { "day \($0 % 17)/clip \($0).mp4" }
    var owned = [Int](repeating: 0, count: count)
    for name in names {
      let owners = shards.indices.filter { shards[$0].owns(name) }
      #expect(owners.count == 1)
      for owner in owners { owned[owner] += 1 }
    }
    // Evenly, within statistical variation.
    for share in owned { #expect(abs(Double(share) - 5000 / Double(count)) < 5 * (5000 / Double(count)).squareRoot()) }
  }

  /// A changed split would process clips twice, so these values must never change.
  @Test func ownersNeverChange() throws {
    let names = ["a.mp4", "day 1/b.mov", "été.mp4"]
    let owners = try names.map { name in
      try (0..<4).first { try #require(Shard(index: $0, count: 4)).owns(name) }
    }
    // Python: int.from_bytes(sha256(name).digest()[:8], "big") % 4
    #expect(owners == [0, 1, 1])
  }

  @Test func unicodeFormsOfOneNameHaveOneOwner() throws {
    for index in 0..<8 {
      let shard = try #require(Shard(index: index, count: 8))
      #expect(shard.owns("\u{E9}t\u{E9}.mp4") == shard.owns("e\u{301}te\u{301}.mp4"))
    }
  }

  @Test(arguments: [
    ("SLURM_ARRAY_TASK_ID", "Slurm"), ("JOB_COMPLETION_INDEX", "Kubernetes"),
    ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS Batch"),
  ])
  func schedulersProvideTheTaskNumber(_ variable: String, _ scheduler: String) throws {
    #expect(try Shard("auto/4", environment: [variable: "2"]) == Shard(index: 2, count: 4))
    #expect(Shard.findTaskIndex(in: [variable: "2"])?.scheduler == scheduler)
    #expect(Shard.findTaskIndex(in: [variable: ""]) == nil)
  }

  @Test(arguments: [
    ("4/4", [:], "out-of-range"), ("auto/4", [:], "unnumbered"), ("1", [:], "malformed"),
    ("-1/4", [:], "out-of-range"), ("1/0", [:], "malformed"), ("a/4", [:], "malformed"),
    ("auto/4", ["SLURM_ARRAY_TASK_ID": "4"], "out-of-range"), ("auto/4", ["SLURM_ARRAY_TASK_ID": "x"], "malformed"),
    ("1/2/3", [:], "malformed"), ("", [:], "malformed"),
  ])
  func invalidShardFails(_ text: String, _ environment: [String: String], _ reason: String) {
    let error = #expect(throws: ShareEngineError.self) { try Shard(text, environment: environment) }
    #expect(error?.explanation.category == .usage)
    #expect(error?.explanation.id == "batch.shard-\(reason)", "\(String(describing: error?.explanation))")
  }
}
