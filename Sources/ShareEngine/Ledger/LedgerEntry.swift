import ClipModel
import DurableFiles

/// A line in a ledger. Each line records a step in the processing of a file.
struct LedgerEntry: Codable, Equatable, Sendable {
  enum Event: String, Codable, Sendable {
    /// Processing has started. The output's temporary files belong to this run.
    case began
    /// The output is complete and about to be renamed. If no `done` entry follows, the output is recognized by its
    /// `result`.
    case made
    case done
    /// The replaced source was restored, and its result was removed.
    case restored
    /// The file was rejected by the rules or is unreadable. A retry would fail again.
    case refused
    /// The file failed, but a retry may succeed.
    case failed
  }

  /// The properties that determine a result's content.
  struct ResultKey: Codable, Hashable, Sendable {
    /// The source's SHA-256 as lowercase hexadecimal digits.
    var sha256: String
    /// The fingerprint of the processing settings (`BatchSettings`).
    var settings: String
  }

  /// The result of processing a file.
  struct Result: Codable, Equatable, Sendable {
    /// The size of the finished output in bytes. Together with the modification time, it reveals later changes.
    var byteCount: Int64
    var modifiedNanoseconds: Int64
    /// The output's SHA-256. In `made` entries, it is empty unless the output replaces its source.
    var sha256: String
    var sourceByteCount: Int64
    var decisions: [ProcessingPlan.Decision]
    var removed: [String]
    var notes: [String]
  }

  var event: Event
  /// The time of the entry, as Unix time in seconds.
  var at: Int64
  /// The source's name, as in `BatchItem.name`.
  var source: String
  /// The source's path, as in `BatchItem.path`. An output is replaced only by a new result from the same source.
  var path: String?
  /// The output's path, relative to the ledger's root folder.
  var output: String
  /// The source's file identity. If it is unchanged, the digest doesn't have to be computed again.
  var identity: FileIdentity
  var key: ResultKey
  var result: Result?
  var error: Explanation?
  var findings: [Finding]?
  /// The SHA-256 of the metadata that was copied to the output's folder. A newer version of the source's metadata can
  /// replace this copy.
  var sidecar: String?
  /// The number of the replaced source in the trash, or `nil` if the source was not replaced.
  var trash: Int?

  /// Whether all paths are inside the ledger's root folder. The ledger can come from an untrusted source.
  var staysInside: Bool {
    func isContainedPath(_ name: String) -> Bool {
      !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    }
    return trash == nil
      ? !output.split(separator: "/").contains("..") : isContainedPath(source) && isContainedPath(output)
  }

  /// The trash slot of the replaced source.
  var slot: Trash.Slot? { trash.map { Trash.Slot(number: $0, name: source) } }

  /// The replaced source's path in the trash, relative to the ledger's root folder.
  var original: String? { slot.map(Trash.relativePath) }

  /// Whether the entry records a new file. If a source was left unchanged, the entry records the source as its own
  /// result.
  var recordsNewFile: Bool { event == .done && (trash != nil || output != source) }

  /// Whether a file with this identity is the unchanged output.
  func isResult(_ identity: FileIdentity) -> Bool {
    identity.byteCount == result?.byteCount && identity.modifiedNanoseconds == result?.modifiedNanoseconds
  }
}
