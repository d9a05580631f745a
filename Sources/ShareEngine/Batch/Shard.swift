import ClipModel
import Crypto
import Foundation

/// A part of a batch that is split across machines. Only a file's name determines its part, so machines don't read
/// files from other parts and don't need to coordinate.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// The zero-based index of the part.
  let index: Int
  let count: Int

  /// The environment variables that contain a task's index in an array job, by scheduler.
  private static let variables = [
    ("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX"), ("Kubernetes", "JOB_COMPLETION_INDEX"),
    ("Slurm", "SLURM_ARRAY_TASK_ID"),
  ]

  /// - Returns: the part, or `nil` unless `0 <= index < count`.
  package init?(index: Int, count: Int) {
    guard index >= 0, index < count else { return nil }
    self.index = index
    self.count = count
  }

  /// Parses text such as `2/4`, or `auto/4` for the index that a scheduler assigned to this task. The count is always
  /// required, because the split must not change when a task of an array job is repeated.
  /// - Throws: `ShareEngineError` in the category `usage` if the part is invalid or no scheduler provides an index.
  package init(_ text: String, environment: [String: String]) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let count = Int(parts[1]), count > 0 else { throw Self.makeMalformedError(text) }
    var number = (source: text, value: parts[0])
    if parts[0] == "auto" {
      guard let task = Self.findTaskIndex(in: environment) else {
        throw ShareEngineError(.shardUnnumbered, ["shard": text, "count": "\(count)"])
      }
      number = ("\(task.variable)=\(task.number)", task.number)
    }
    guard let index = Int(number.value) else { throw Self.makeMalformedError(number.source) }
    guard let shard = Shard(index: index, count: count) else {
      throw ShareEngineError(
        .shardOutOfRange, ["shard": text, "index": "\(index)", "count": "\(count)", "last": "\(count - 1)"])
    }
    self = shard
  }

  package var description: String { "\(index)/\(count)" }

  /// Whether a file belongs to this part.
  /// - Parameter name: the file's path relative to the batch's root folder, with `/` as the separator.
  package func owns(_ name: String) -> Bool {
    // Normalize the name, because macOS file systems can decompose accented characters.
    let digest = SHA256.hash(data: Array(name.precomposedStringWithCanonicalMapping.utf8))
    return digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(count) == UInt64(index)
  }

  /// Returns this task's index in an array job, or `nil` if no scheduler started the task.
  package static func findTaskIndex(
    in environment: [String: String]
  ) -> (scheduler: String, variable: String, number: String)? {
    variables.lazy.map { ($0, $1, environment[$1] ?? "") }.first { !$2.isEmpty }
  }

  private static func makeMalformedError(_ text: String) -> ShareEngineError {
    ShareEngineError(.shardMalformed, ["shard": text])
  }
}
