package import ClipModel
import DurableFiles

/// A file in a batch, and its destination.
package struct BatchItem: Hashable, Sendable {
  /// The path for opening the source.
  var path: String
  /// The source's path relative to the input folder, as stored in the ledger. The separator is `/`, and bytes that are
  /// not valid UTF-8 are encoded as `%XX`.
  var name: String
  /// The source's path for display, as the user entered it.
  package var displayPath: String
  /// An absolute path.
  var destination: String
  /// The absolute path of the folder that contains the ledger, or `nil` for a single file, which needs no ledger.
  var root: String?

  /// The destination's path, relative to the root folder.
  var output: String {
    guard let root, destination.hasPrefix(root + "/") else { return destination }
    return String(destination.dropFirst(root.count + 1))
  }

  /// Replaces the absolute paths in a failure with the paths that the record uses.
  func replaceAbsolutePaths(in failure: Explanation) -> Explanation {
    var relative = failure.replacingPath(output, absolutePath: destination, fact: "output")
      .replacingPath(displayPath, absolutePath: path)
    if let root {
      relative.what = relative.what.replacing(root + "/", with: "")
      relative.why = relative.why.replacing(root + "/", with: "")
      relative.facts = relative.facts.mapValues { $0.replacing(root + "/", with: "") }
    }
    return relative
  }
}

/// The result for one file in a batch. Each record is a line in the batch report.
package struct BatchRecord: Codable, Equatable, Sendable {
  package enum Status: String, Codable, CaseIterable, Sendable {
    /// This run created the result.
    case done
    /// An earlier run created the result.
    case kept
    /// The result was copied from the result of an identical file.
    case copied
    /// The rules rejected the file.
    case refused
    case failed
  }

  package var schema = "bsc.batch/1"
  package var file: String
  /// The result's path. If there is an output folder, the path is relative to this folder.
  package var output: String?
  package var status: Status
  /// The size of the source in bytes.
  package var sourceByteCount: Int64?
  package var byteCount: Int64?
  /// The result's SHA-256 as lowercase hexadecimal digits.
  package var sha256: String?
  /// The replaced source's path in the trash, relative to the compressed folder.
  package var original: String?
  package var decisions: [ProcessingPlan.Decision] = []
  /// Whether the video was copied without re-encoding, or `nil` if an earlier run created the result.
  package var isVideoCopied: Bool?
  package var removed: [String] = []
  package var notes: [String] = []
  package var findings: [Finding] = []
  package var pictures: [RenderedPicture] = []
  /// How far the interrupted encode of a file is that an earlier run didn't finish.
  package var encoding: EncodingProgress?
  /// The error that prevented a result.
  package var error: Explanation?
  /// Whether the failure is from an earlier run and was not retried.
  package var isOld: Bool?
  /// The processing time in seconds.
  package var seconds: Double = 0

  package init(file: String, output: String? = nil, status: Status) {
    self.file = file
    self.output = output
    self.status = status
  }

  /// Whether the record's numbers are in a valid range. Reports can come from untrusted sources, and their numbers are
  /// added up.
  package var isPlausible: Bool {
    [sourceByteCount ?? 0, byteCount ?? 0].allSatisfy { (0...(1 << 53)).contains($0) } && (0...1e9).contains(seconds)
  }

  /// The failure category that determines the exit code, or `nil` on success.
  package var failure: FailureCategory? {
    switch status {
    case .done, .kept, .copied: nil
    case .refused: .rejected
    case .failed: error?.category ?? .unexpected
    }
  }
}
