package import ClipModel
import DurableFiles

/// One file of a batch: what is read, and what is made of it.
package struct BatchItem: Hashable, Sendable {
  /// What opens the source.
  package var path: String
  /// The source's, relative to the folder that was named, with `/` between folders: for people and the ledger. Bytes
  /// that are no UTF-8 are `%XX`.
  package var name: String
  /// The source's for people, as they said it.
  package var shown: String
  /// Absolute.
  package var destination: String
  /// Absolute: the folder whose ledger knows what is there; `nil` where a single file is made, and nobody keeps a ledger.
  package var root: String?

  package init(path: String, name: String, shown: String, destination: String, root: String? = nil) {
    self.path = path
    self.name = name
    self.shown = shown
    self.destination = destination
    self.root = root
  }

  /// The destination relative to the root.
  var output: String {
    guard let root, destination.hasPrefix(root + "/") else { return destination }
    return String(destination.dropFirst(root.count + 1))
  }

  /// A failure as reports have it: with the paths that stand in the record, and no whole ones.
  func named(_ failure: Explanation) -> Explanation {
    var named = failure.namingOutput(output, absolutePath: destination).naming(shown, absolutePath: path)
    if let root {
      named.what = named.what.replacing(root + "/", with: "")
      named.why = named.why.replacing(root + "/", with: "")
      named.facts = named.facts.mapValues { $0.replacing(root + "/", with: "") }
    }
    return named
  }
}

/// What became of one file: a line of the report.
package struct BatchRecord: Codable, Equatable, Sendable {
  package enum Status: String, Codable, CaseIterable, Sendable {
    /// Made in this run.
    case done
    /// Made by an earlier run; nothing was to be done.
    case kept
    /// Another file of the batch has the same bytes: its result was copied.
    case copied
    /// The rules refuse it.
    case refused
    case failed
  }

  package var schema = "bsc.batch/1"
  package var file: String
  /// Relative to the output folder where there is one.
  package var output: String?
  package var status: Status
  /// Of the source, and of the result.
  package var sourceByteCount: Int64?
  package var byteCount: Int64?
  /// Of the result, lower-case hexadecimal.
  package var sha256: String?
  /// Where the source is that the result replaced, relative to the folder that was compressed.
  package var original: String?
  package var decisions: [ProcessingPlan.Decision] = []
  /// The result has the source's video packets; `nil` where the result is of an earlier run.
  package var isVideoCopied: Bool?
  package var removed: [String] = []
  package var notes: [String] = []
  package var findings: [Finding] = []
  package var pictures: [RenderedPicture] = []
  /// Why there is no result.
  package var error: Explanation?
  /// It failed in an earlier run, and was not tried again.
  package var isOld: Bool?
  /// Wall clock.
  package var seconds: Double = 0

  package init(file: String, output: String? = nil, status: Status) {
    self.file = file
    self.output = output
    self.status = status
  }

  /// A report comes from wherever: numbers that no file and no clock has would break every sum.
  package var isPlausible: Bool {
    [sourceByteCount ?? 0, byteCount ?? 0].allSatisfy { (0...(1 << 53)).contains($0) } && (0...1e9).contains(seconds)
  }

  /// Counts for the exit code; `nil` when the file is done.
  package var failure: FailureCategory? {
    switch status {
    case .done, .kept, .copied: nil
    case .refused: .rejected
    case .failed: error?.category ?? .unexpected
    }
  }
}
