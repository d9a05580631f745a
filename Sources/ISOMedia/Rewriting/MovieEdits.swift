public import ClipModel

/// The changes that `MovieRewriter` makes to a file, with their offsets in the source. The rest of the file remains
/// unchanged, except for the chunk offset tables.
public struct MovieEdits: Equatable, Sendable {
  /// A range of a sample's bytes to remove or replace.
  public struct Cut: Equatable, Sendable {
    /// The byte range in the file, which must be within a single sample.
    public var range: Range<Int64>
    /// The bytes that replace the range; usually empty.
    public var replacement: [UInt8]

    public init(_ range: Range<Int64>, replacement: [UInt8] = []) {
      self.range = range
      self.replacement = replacement
    }
  }

  /// The file offsets of the boxes to remove, at any nesting level.
  public var removedBoxes: Set<Int64> = []
  /// The replacement boxes, including their headers, keyed by the file offset of the original box.
  public var replacedBoxes: [Int64: [UInt8]] = [:]
  /// The IDs of the tracks to remove, along with their samples and all references to them.
  public var removedTracks: Set<UInt32> = []
  /// The cuts, sorted and without overlaps. Each cut must be within a single sample.
  public var cuts: [Cut] = []
  /// The ranges outside samples to overwrite with zeros, such as in headers, tables and sample descriptions.
  public var blankedRanges: [Range<Int64>] = []
  /// Whether to set the dates in the movie, track and media headers to 0.
  public var clearsDates = false
  /// Whether to keep the data after the last box.
  public var keepsTrailer = false

  /// Creates a set of edits that changes nothing.
  public init() {}

  /// Whether any cut starts at or after a file offset.
  func hasCut(from position: Int64) -> Bool { cuts.last.map { $0.range.lowerBound >= position } ?? false }

  /// Whether a byte range contains a removed or replaced box.
  func containsChangedBox(_ range: Range<Int64>) -> Bool {
    removedBoxes.contains { range.contains($0) } || replacedBoxes.keys.contains { range.contains($0) }
  }
}

/// An error that prevents a file from being rewritten without losing data.
public enum MovieRewriteError: ExplainedError, Equatable {
  /// The end of the file is missing, along with some samples.
  case truncated(name: String, missingByteCount: Int64)
  /// The file's boxes or tables are inconsistent.
  case damaged(name: String, why: String)
  /// The file uses an unsupported feature, usually one that depends on the positions of its samples.
  case unsupported(name: String, why: String)

  public var explanation: Explanation {
    func explain(_ id: String, _ name: String, _ why: String, _ category: FailureCategory) -> Explanation {
      Explanation(
        id: "strip.\(id)", what: "cannot rewrite \(name)", why: why, facts: ["file": name], category: category)
    }
    return switch self {
    case .truncated(let name, let count):
      explain("truncated", name, "the file is truncated: \(ByteCount.text(count)) of sample data is missing", .rejected)
    case .damaged(let name, let why): explain("damaged", name, "the file is damaged: \(why)", .rejected)
    case .unsupported(let name, let why): explain("unsupported-form", name, why, .unjudged)
    }
  }
}
