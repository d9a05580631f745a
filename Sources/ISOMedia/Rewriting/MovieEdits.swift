public import ClipModel

/// The changes that `MovieRewriter` makes, by their offsets in the source. Everything else remains unchanged, except
/// for the sample offset tables.
public struct MovieEdits: Equatable, Sendable {
  /// A removed or replaced part of a sample.
  public struct Cut: Equatable, Sendable {
    /// The range in the file, which must be within one sample.
    public var range: Range<Int64>
    /// The bytes that replace it, usually none.
    public var replacement: [UInt8]

    public init(_ range: Range<Int64>, replacement: [UInt8] = []) {
      self.range = range
      self.replacement = replacement
    }
  }

  /// The offsets of boxes that are removed, at any depth.
  public var removedBoxes: Set<Int64> = []
  /// The replacements of boxes, including headers, by the offset of the replaced box.
  public var replacedBoxes: [Int64: [UInt8]] = [:]
  /// The IDs of tracks that are removed with their samples and all references.
  public var removedTracks: Set<UInt32> = []
  /// The cuts, sorted and without overlaps. Each must be within one sample.
  public var cuts: [Cut] = []
  /// The ranges outside samples that are overwritten with zeros: in headers, tables and sample descriptions.
  public var blankedRanges: [Range<Int64>] = []
  /// Whether the dates in the headers of the movie, its tracks and their media are set to 0.
  public var clearsDates = false
  /// Whether the data after the last box is kept.
  public var keepsTrailer = false

  /// Creates an empty set of edits.
  public init() {}

  /// Whether any cut starts at or after an offset.
  func hasCut(from position: Int64) -> Bool { cuts.last.map { $0.range.lowerBound >= position } ?? false }

  /// Whether the range of a box contains a removed or replaced box.
  func touches(_ range: Range<Int64>) -> Bool {
    removedBoxes.contains { range.contains($0) } || replacedBoxes.keys.contains { range.contains($0) }
  }
}

/// An error that prevents a file from being rewritten without losing data.
public enum MovieRewriteError: ExplainedError, Equatable {
  /// Samples are missing at the end of the file.
  case truncated(name: String, missingByteCount: Int64)
  /// The boxes or tables are inconsistent.
  case damaged(name: String, why: String)
  /// The file has a feature that depends on the positions of its samples.
  case unsupported(name: String, why: String)

  public var explanation: Explanation {
    func explain(_ id: String, _ name: String, _ why: String, _ category: FailureCategory) -> Explanation {
      Explanation(
        id: "strip.\(id)", what: "cannot rewrite \(name)", why: why, facts: ["file": name], category: category)
    }
    return switch self {
    case .truncated(let name, let count):
      explain("truncated", name, "the file is truncated: \(ByteCount.text(count)) of sample data missing", .rejected)
    case .damaged(let name, let why): explain("damaged", name, "the file is damaged: \(why)", .rejected)
    case .unsupported(let name, let why): explain("unsupported-form", name, why, .unjudged)
    }
  }
}
