public import ClipModel
import DurableFiles

/// One file of a batch: what is read, and what is made of it.
public struct BatchItem: Hashable, Sendable {
  /// What opens the source.
  public var path: String
  /// The source's, relative to the folder that was named, with `/` between folders: for people and the ledger. Bytes
  /// that are no UTF-8 are `%XX`.
  public var name: String
  /// The source's for people, as they said it.
  public var shown: String
  /// Absolute.
  public var destination: String
  /// Absolute: the folder whose ledger knows what is there; `nil` where a single file is made, and nobody keeps a ledger.
  public var root: String?

  public init(path: String, name: String, shown: String, destination: String, root: String? = nil) {
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
    failure.isOfOutput
      ? failure.naming(output, absolutePath: destination) : failure.naming(shown, absolutePath: path)
  }
}

/// What became of one file: a line of the report.
public struct BatchRecord: Codable, Equatable, Sendable {
  public enum Status: String, Codable, CaseIterable, Sendable {
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

  public var schema = "bsc.batch/1"
  public var file: String
  /// Relative to the output folder where there is one.
  public var output: String?
  public var status: Status
  /// Of the source, and of the result.
  public var sourceByteCount: Int64?
  public var byteCount: Int64?
  /// Of the result, lower-case hexadecimal.
  public var sha256: String?
  /// Where the source is that the result replaced, relative to the folder that was compressed.
  public var original: String?
  public var decisions: [ProcessingPlan.Decision] = []
  public var removed: [String] = []
  public var notes: [String] = []
  public var findings: [Finding] = []
  public var pictures: [DrawnPicture] = []
  /// Why there is no result.
  public var error: Explanation?
  /// It failed in an earlier run, and was not tried again.
  public var isOld: Bool?
  /// Wall clock.
  public var seconds: Double = 0

  public init(file: String, output: String? = nil, status: Status) {
    self.file = file
    self.output = output
    self.status = status
  }

  /// A report comes from wherever: numbers that no file and no clock has would break every sum.
  public var isPlausible: Bool {
    [sourceByteCount ?? 0, byteCount ?? 0].allSatisfy { (0...(1 << 53)).contains($0) } && (0...1e9).contains(seconds)
  }

  /// Counts for the exit code; `nil` when the file is done.
  public var failure: FailureCategory? {
    switch status {
    case .done, .kept, .copied: nil
    case .refused: .rejected
    case .failed: error?.category ?? .unexpected
    }
  }
}
