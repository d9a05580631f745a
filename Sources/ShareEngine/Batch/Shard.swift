import ClipModel
import Crypto
import Foundation

/// One part of a batch that is split over machines. Which part a file belongs to is told by its name alone, so that no
/// machine reads what it does not own, and nobody has to agree with anybody.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// From 0.
  package let index: Int
  package let count: Int

  /// What numbers the tasks of an array, by scheduler.
  package static let variables = [
    "Slurm": "SLURM_ARRAY_TASK_ID", "Kubernetes": "JOB_COMPLETION_INDEX", "AWS Batch": "AWS_BATCH_JOB_ARRAY_INDEX",
  ]

  /// - Returns: `nil` unless `0 <= index < count`.
  package init?(index: Int, count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// `2/4`, or `auto/4` for the number that a scheduler gave this task. The count is always told: when a part of an array
  /// is run again, the split must stay as it was.
  /// - Throws: `ShareEngineError` (usage) when it is no part of a whole, or no scheduler gave a number.
  package init(_ text: String, environment: [String: String]) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let count = Int(parts[1]), count > 0 else { throw Self.malformed(text) }
    let index: Int
    if parts[0] == "auto" {
      guard let given = Self.given(in: environment) else {
        throw ShareEngineError(.shardUnnumbered, ["shard": text, "count": "\(count)"])
      }
      guard let number = Int(given.value) else { throw Self.malformed("\(given.name)=\(given.value)") }
      index = number
    } else {
      guard let number = Int(parts[0]) else { throw Self.malformed(text) }
      index = number
    }
    guard let shard = Shard(index: index, count: count) else {
      throw ShareEngineError(
        .shardOutOfRange,
        ["shard": text, "index": "\(index)", "count": "\(count)", "last": "\(count - 1)"])
    }
    self = shard
  }

  package var description: String { "\(index)/\(count)" }

  /// Whether a file belongs to this part.
  /// - Parameter name: relative to the batch's folder, with `/` between folders.
  package func owns(_ name: String) -> Bool {
    // The same name can be written in several ways: a Mac's disk decomposes accents.
    let normalized = name.precomposedStringWithCanonicalMapping
    let digest = SHA256.hash(data: Array(normalized.utf8))
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number % UInt64(count) == UInt64(index)
  }

  /// What a scheduler says, if one started this.
  package static func given(in environment: [String: String]) -> (scheduler: String, name: String, value: String)? {
    for (scheduler, name) in variables.sorted(by: { $0.key < $1.key }) {
      if let value = environment[name], !value.isEmpty { return (scheduler, name, value) }
    }
    return nil
  }

  private static func malformed(_ text: String) -> ShareEngineError {
    ShareEngineError(.shardMalformed, ["shard": text])
  }
}
