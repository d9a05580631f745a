package import ClipModel
package import DurableFiles

/// A line of a ledger: what was begun with a file, and what came of it.
package struct LedgerEntry: Codable, Equatable, Sendable {
  package enum Event: String, Codable, Sendable {
    /// Work on it begins: what is left of it under hidden names is ours.
    case began
    /// The output is whole, and about to get its name: whoever finds it there without a `done` knows it by `result`.
    case made
    case done
    /// The source is where it was before it was replaced, and the result is gone.
    case restored
    /// The rules refuse it, or nobody can read it: it would come out the same again.
    case refused
    /// Something was wrong that may be right the next time.
    case failed
  }

  /// What decides the bytes of a result.
  package struct Key: Codable, Hashable, Sendable {
    /// Of the source's bytes, lower-case hexadecimal.
    package var sha256: String
    /// Of everything that was asked for (`BatchSettings`).
    package var settings: String
  }

  /// What was made.
  package struct Result: Codable, Equatable, Sendable {
    /// As the output was when it was finished: whoever changes it afterwards is noticed.
    package var byteCount: Int64
    package var modifiedNanoseconds: Int64
    /// Empty in `made`, but for a replacement.
    package var sha256: String
    package var sourceByteCount: Int64
    package var decisions: [ProcessingPlan.Decision]
    package var removed: [String]
    package var notes: [String]
  }

  package var event: Event
  /// Unix seconds.
  package var at: Int64
  /// `BatchItem.name`
  package var source: String
  /// `BatchItem.path`: an output is only made anew for the source that it was made of.
  package var path: String?
  /// Relative to the ledger's folder.
  package var output: String
  /// Of the source, so that its digest need not be made again.
  package var identity: FileIdentity
  package var key: Key
  package var result: Result?
  package var error: Explanation?
  package var findings: [Finding]?
  /// SHA-256 of the metadata that was put beside the output; a newer one of the source may take its place.
  package var sidecar: String?
  /// The number in the trash of the source that the result replaced; `nil` when it is where it was.
  package var trash: Int?

  package init(
    _ event: Event, at: Int64, source: String, path: String? = nil, output: String, identity: FileIdentity, key: Key,
    result: Result? = nil, error: Explanation? = nil, findings: [Finding]? = nil
  ) {
    self.event = event
    self.at = at
    self.source = source
    self.path = path
    self.output = output
    self.identity = identity
    self.key = key
    self.result = result
    self.error = error
    self.findings = findings
  }

  /// A ledger comes with its folder, from wherever that is: it leads to nothing outside.
  var staysInside: Bool {
    func isInside(_ name: String) -> Bool {
      !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    }
    return trash == nil ? !output.split(separator: "/").contains("..") : isInside(source) && isInside(output)
  }

  /// Where the source is that was replaced, relative to the ledger's folder.
  var original: String? { trash.map { Trash.path(of: Trash.Place(number: $0, name: source)) } }

  /// Whether a file is the output as it was when it was finished.
  func isResult(_ identity: FileIdentity) -> Bool {
    identity.byteCount == result?.byteCount && identity.modifiedNanoseconds == result?.modifiedNanoseconds
  }
}
