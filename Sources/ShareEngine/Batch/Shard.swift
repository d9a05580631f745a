import ClipModel
import Crypto
import Foundation

/// One part of a batch that is split across machines. A file's name alone determines its part, so no machine reads
/// files from other parts, and the machines need no coordination.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// The index of the part, starting at 0.
  let index: Int
  let count: Int

  /// The environment variables that contain a task's index in an array job.
  private static let variables = [
    ("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX"), ("Kubernetes", "JOB_COMPLETION_INDEX"),
    ("Slurm", "SLURM_ARRAY_TASK_ID"),
  ]

  /// - Returns: `nil` unless `0 <= index < count`.
  package init?(index: Int, count: Int) {
    guard index >= 0, index < count else { return nil }
    self.index = index
    self.count = count
  }

  /// Parses `2/4`, or `auto/4` for the index that a scheduler assigned to this task. The count is always required,
  /// because the split must stay the same when a task of an array job is repeated.
  /// - Throws: `ShareEngineError` (usage) for an invalid part, or if no scheduler provides an index.
  package init(_ text: String, environment: [String: String]) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let count = Int(parts[1]), count > 0 else { throw Self.malformed(text) }
    var number = (source: text, value: parts[0])
    if parts[0] == "auto" {
      guard let task = Self.task(in: environment) else {
        throw ShareEngineError(.shardUnnumbered, ["shard": text, "count": "\(count)"])
      }
      number = ("\(task.variable)=\(task.number)", task.number)
    }
    guard let index = Int(number.value) else { throw Self.malformed(number.source) }
    guard let shard = Shard(index: index, count: count) else {
      throw ShareEngineError(
        .shardOutOfRange, ["shard": text, "index": "\(index)", "count": "\(count)", "last": "\(count - 1)"])
    }
    self = shard
  }

  package var description: String { "\(index)/\(count)" }

  /// Whether a file belongs to this part.
  /// - Parameter name: a path relative to the batch's folder, with `/` between folders.
  package func owns(_ name: String) -> Bool {
    // Normalizes the name, because macOS file systems may decompose accented characters.
    let digest = SHA256.hash(data: Array(name.precomposedStringWithCanonicalMapping.utf8))
    return digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(count) == UInt64(index)
  }

  /// The index of this task in an array job, if a scheduler started it.
  package static func task(
    in environment: [String: String]
  ) -> (scheduler: String, variable: String, number: String)? {
    variables.lazy.map { ($0, $1, environment[$1] ?? "") }.first { !$2.isEmpty }
  }

  private static func malformed(_ text: String) -> ShareEngineError {
    ShareEngineError(.shardMalformed, ["shard": text])
  }
}
