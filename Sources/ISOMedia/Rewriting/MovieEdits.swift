public import ClipModel

/// What `MovieRewriter` changes, in places of the source. Everything else stays as it is, byte for byte, but for the
/// tables that say where the samples are.
public struct MovieEdits: Equatable, Sendable {
  /// Bytes inside samples that go, and what takes their place.
  public struct Cut: Equatable, Sendable {
    /// Bytes of the file, within one sample.
    public var range: Range<Int64>
    /// What takes their place; mostly empty.
    public var replacement: [UInt8]

    public init(_ range: Range<Int64>, replacement: [UInt8] = []) {
      self.range = range
      self.replacement = replacement
    }
  }

  /// Boxes that go, by where they begin: at any depth.
  public var removedBoxes: Set<Int64> = []
  /// Boxes that become others, by where they begin: header and all.
  public var replacedBoxes: [Int64: [UInt8]] = [:]
  /// Tracks that go with their samples and everything that refers to them.
  public var removedTracks: Set<UInt32> = []
  /// Sorted, not overlapping, each within one sample.
  public var cuts: [Cut] = []
  /// Bytes outside of samples that become zeros where they stay: in headers, tables and descriptions.
  public var blankedRanges: [Range<Int64>] = []
  /// The dates in the headers of the movie, its tracks and their media become 0.
  public var clearsDates = false
  /// What stays of the bytes behind the last box: all, or nothing.
  public var keepsTrailer = false

  /// Nothing is changed.
  public init() {}

  /// Whether a cut begins at a place or behind it.
  func hasCut(behind position: Int64) -> Bool { cuts.last.map { $0.range.lowerBound >= position } ?? false }

  /// Whether a box has to be taken apart.
  func touches(_ range: Range<Int64>) -> Bool {
    removedBoxes.contains { range.contains($0) } || replacedBoxes.keys.contains { range.contains($0) }
  }
}

/// Why a file cannot be written anew without loss.
public enum MovieRewriteError: ExplainedError, Equatable {
  /// Samples are missing at the end of the file.
  case truncated(name: String, missingByteCount: Int64)
  /// Its boxes or tables contradict each other.
  case damaged(name: String, why: String)
  /// A form that would be broken by moving its samples.
  case unsupported(name: String, why: String)

  public var explanation: Explanation {
    func explain(_ id: String, _ name: String, _ why: String, _ category: FailureCategory) -> Explanation {
      Explanation(
        id: "strip.\(id)", what: "cannot rewrite \(name)", why: why, facts: ["file": name], category: category)
    }
    return switch self {
    case .truncated(let name, let count):
      explain("truncated", name, "it is cut off: \(ByteCount.text(count)) of its samples are missing", .rejected)
    case .damaged(let name, let why): explain("damaged", name, "it is damaged: \(why)", .rejected)
    case .unsupported(let name, let why): explain("unsupported-form", name, why, .unjudged)
    }
  }
}
