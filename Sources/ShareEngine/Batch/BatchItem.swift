package import ClipModel
import DurableFiles

/// A file in a batch and its destination.
package struct BatchItem: Hashable, Sendable {
  /// The path that opens the source.
  var path: String
  /// The path of the source relative to the input folder, with `/` between folders, as stored in the ledger. Bytes that
  /// are not UTF-8 are written as `%XX`.
  var name: String
  /// The path of the source for display, as the user specified it.
  package var displayPath: String
  /// An absolute path.
  var destination: String
  /// The absolute path of the folder with the ledger; `nil` for a single file, which needs no ledger.
  var root: String?

  /// The destination relative to the root.
  var output: String {
    guard let root, destination.hasPrefix(root + "/") else { return destination }
    return String(destination.dropFirst(root.count + 1))
  }

  /// The failure with the paths of the record instead of absolute ones.
  func relativized(_ failure: Explanation) -> Explanation {
    var relative = failure.naming(output, absolutePath: destination, fact: "output")
      .naming(displayPath, absolutePath: path)
    if let root {
      relative.what = relative.what.replacing(root + "/", with: "")
      relative.why = relative.why.replacing(root + "/", with: "")
      relative.facts = relative.facts.mapValues { $0.replacing(root + "/", with: "") }
    }
    return relative
  }
}

/// The result for one file, which is one line of the report.
package struct BatchRecord: Codable, Equatable, Sendable {
  package enum Status: String, Codable, CaseIterable, Sendable {
    /// This run created the result.
    case done
    /// An earlier run created the result.
    case kept
    /// The result was copied from another file with the same bytes.
    case copied
    /// The rules rejected the file.
    case refused
    case failed
  }

  package var schema = "bsc.batch/1"
  package var file: String
  /// The path of the result, relative to the output folder if there is one.
  package var output: String?
  package var status: Status
  /// Sizes of the source and of the result.
  package var sourceByteCount: Int64?
  package var byteCount: Int64?
  /// The digest of the result, as lowercase hexadecimal digits.
  package var sha256: String?
  /// The path in the trash of the replaced source, relative to the compressed folder.
  package var original: String?
  package var decisions: [ProcessingPlan.Decision] = []
  /// Whether the video was copied without re-encoding; `nil` for the result of an earlier run.
  package var isVideoCopied: Bool?
  package var removed: [String] = []
  package var notes: [String] = []
  package var findings: [Finding] = []
  package var pictures: [RenderedPicture] = []
  /// The reason why there is no result.
  package var error: Explanation?
  /// Whether this is a failure from an earlier run that was not retried.
  package var isOld: Bool?
  /// The elapsed time in seconds.
  package var seconds: Double = 0

  package init(file: String, output: String? = nil, status: Status) {
    self.file = file
    self.output = output
    self.status = status
  }

  /// Whether the numbers of a report are in a valid range. Reports can come from any source, and their numbers are
  /// added up.
  package var isPlausible: Bool {
    [sourceByteCount ?? 0, byteCount ?? 0].allSatisfy { (0...(1 << 53)).contains($0) } && (0...1e9).contains(seconds)
  }

  /// The failure that determines the exit code; `nil` on success.
  package var failure: FailureCategory? {
    switch status {
    case .done, .kept, .copied: nil
    case .refused: .rejected
    case .failed: error?.category ?? .unexpected
    }
  }
}
