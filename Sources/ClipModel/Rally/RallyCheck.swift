/// The checks of rally metadata, by the stable id that findings carry.
public enum RallyCheck: String, CaseIterable, Sendable {
  /// A JSON object in UTF-8, not larger than `RallyMetadata.byteLimit`.
  case json = "rally.json"
  /// `rallySegments` is there and an array.
  case segments = "rally.segments"
  /// There is at least one rally.
  case empty = "rally.empty"
  /// `id`, `videoId` and the rallies' `id` are UUIDs.
  case identifier = "rally.id"
  /// `videoId` is the UUID in the file's name, when that has one.
  case fileName = "rally.file-name"
  /// Every value that is needed is there, of its type, and finite.
  case value = "rally.value"
  /// A rally starts at or after 0 and ends after its start.
  case times = "rally.times"
  /// A rally ends inside the source video.
  case range = "rally.range"
  /// Confidence and quality lie between 0 and 1.
  case score = "rally.score"
  /// Counts and lengths are not negative.
  case count = "rally.count"
  /// No two rallies have the same id.
  case duplicateID = "rally.duplicate-id"
  /// Rallies are in the order of their starts.
  case order = "rally.order"
  /// No two rallies share a moment.
  case overlap = "rally.overlap"
  /// The wanted rally exists.
  case index = "rally.index"
  /// The chosen rally is as long as a highlight may be (`RallyLimits`).
  case length = "rally.length"
  /// The file is as long as the rally that it is said to be.
  case clipLength = "rally.clip-length"
  /// Confidence, quality and count are all 0: normal for early rallies of long videos.
  case noSamples = "rally.no-samples"
  /// The format's version is the known one.
  case version = "rally.version"
  /// Dates are in order and not in the future.
  case date = "rally.date"

  /// The row of the check table in the format's description (section 3), where this check comes from.
  public var row: Int {
    switch self {
    case .json: 1
    case .segments: 2
    case .empty: 3
    case .identifier, .fileName: 4
    case .value: 5
    case .times: 6
    case .range: 7
    case .score: 8
    case .count: 9
    case .duplicateID: 10
    case .order: 11
    case .overlap: 12
    case .index: 13
    case .length: 14
    case .clipLength: 15
    case .noSamples: 16
    case .version: 17
    case .date: 18
    }
  }

  func finding(
    _ severity: Finding.Severity, _ message: String, at place: String? = nil, next: String? = nil
  ) -> Finding {
    Finding(rule: rawValue, severity: severity, message: message, place: place, next: next)
  }
}
