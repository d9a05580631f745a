import ClipModel
import DurableFiles

/// A line of a ledger: a step in the processing of a file.
struct LedgerEntry: Codable, Equatable, Sendable {
  enum Event: String, Codable, Sendable {
    /// Processing starts. Temporary files of the output belong to this run.
    case began
    /// The output is complete and about to be renamed. An output that has no `done` entry is recognized by its
    /// `result`.
    case made
    case done
    /// The replaced source was restored and the result was removed.
    case restored
    /// The file was rejected by the rules or is unreadable. A retry would fail again.
    case refused
    /// The file failed, but a retry may succeed.
    case failed
  }

  /// Everything that determines the bytes of a result.
  struct Key: Codable, Hashable, Sendable {
    /// The digest of the source, as lowercase hexadecimal digits.
    var sha256: String
    /// The fingerprint of the request (`BatchSettings`).
    var settings: String
  }

  /// The result of processing.
  struct Result: Codable, Equatable, Sendable {
    /// The size and modification time of the finished output, which reveal later changes.
    var byteCount: Int64
    var modifiedNanoseconds: Int64
    /// The digest of the output. It is empty in a `made` entry, except for a replacement.
    var sha256: String
    var sourceByteCount: Int64
    var decisions: [ProcessingPlan.Decision]
    var removed: [String]
    var notes: [String]
  }

  var event: Event
  /// The time of the entry, in seconds since 1970.
  var at: Int64
  /// The name of the source, as in `BatchItem.name`.
  var source: String
  /// The path of the source, as in `BatchItem.path`. An output is only replaced by a new result of the same source.
  var path: String?
  /// The path of the output, relative to the ledger's folder.
  var output: String
  /// The identity of the source, so that its digest does not have to be computed again.
  var identity: FileIdentity
  var key: Key
  var result: Result?
  var error: Explanation?
  var findings: [Finding]?
  /// The SHA-256 of the metadata that was copied next to the output. A newer version of the source's metadata may
  /// replace that copy.
  var sidecar: String?
  /// The number of the replaced source in the trash; `nil` when the source was not replaced.
  var trash: Int?

  /// Whether all paths stay within the ledger's folder. The folder can come from an untrusted source.
  var staysInside: Bool {
    func isInside(_ name: String) -> Bool {
      !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    }
    return trash == nil ? !output.split(separator: "/").contains("..") : isInside(source) && isInside(output)
  }

  /// The trash slot of the replaced source.
  var slot: Trash.Slot? { trash.map { Trash.Slot(number: $0, name: source) } }

  /// The path of the replaced source, relative to the ledger's folder.
  var original: String? { slot.map(Trash.path) }

  /// Whether the entry records a new file. A source that was left unchanged is recorded as its own result.
  var recordsNewFile: Bool { event == .done && (trash != nil || output != source) }

  /// Whether a file is the unchanged output.
  func isResult(_ identity: FileIdentity) -> Bool {
    identity.byteCount == result?.byteCount && identity.modifiedNanoseconds == result?.modifiedNanoseconds
  }
}
