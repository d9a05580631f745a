/// The checks of rally metadata. The raw values are the stable IDs in findings.
public enum RallyCheck: String, CaseIterable, Sendable {
  /// The file is a JSON object.
  case json = "rally.json"
  /// The list of rallies exists.
  case segments = "rally.segments"
  /// There is a rally.
  case empty = "rally.empty"
  /// IDs are UUIDs.
  case identifier = "rally.id"
  /// The ID in the file name is that of the video.
  case fileName = "rally.file-name"
  /// Required values exist and have the right type.
  case value = "rally.value"
  /// A rally ends after its start.
  case times = "rally.times"
  /// A rally is inside the source video.
  case range = "rally.range"
  /// Scores are between 0 and 1.
  case score = "rally.score"
  /// Counts and lengths are not negative.
  case count = "rally.count"
  /// IDs are unique.
  case duplicateID = "rally.duplicate-id"
  /// Rallies are sorted.
  case order = "rally.order"
  /// Rallies do not overlap.
  case overlap = "rally.overlap"
  /// The selected rally exists.
  case index = "rally.index"
  /// The selected rally has a length that is allowed (`RallyLimits`).
  case length = "rally.length"
  /// The file is as long as its rally.
  case clipLength = "rally.clip-length"
  /// Confidence, quality and count are all 0, which is normal for early rallies of long videos.
  case noSamples = "rally.no-samples"
  /// The version of the format is supported.
  case version = "rally.version"
  /// Dates are plausible.
  case date = "rally.date"

  /// The row in the check table of the format's description (section 3).
  public var row: Int { entry.row }
  /// The usual severity.
  var severity: Finding.Severity { entry.severity }
  /// The requirement as text.
  var summary: String { entry.summary }

  func finding(
    _ severity: Finding.Severity, _ message: String, at place: String? = nil, next: String? = nil
  ) -> Finding {
    Finding(rule: rawValue, severity: severity, message: message, place: place, next: next)
  }

  private var entry: (row: Int, severity: Finding.Severity, summary: String) {
    switch self {
    case .json: (1, .error, "the metadata is a JSON object in UTF-8 of at most 64 MiB")
    case .segments: (2, .error, "rallySegments is an array")
    case .empty: (3, .error, "the metadata has at least one rally")
    case .identifier: (4, .error, "all IDs are UUIDs")
    case .fileName: (4, .error, "a UUID in the file name equals videoId")
    case .value: (5, .error, "every required value is present, has the right type, and is finite")
    case .times: (6, .error, "a rally starts at or after 0 and ends after its start")
    case .range: (7, .error, "a rally ends inside its video")
    case .score: (8, .error, "confidence and quality are between 0 and 1")
    case .count: (9, .error, "counts and lengths are not negative")
    case .duplicateID: (10, .error, "rally IDs are unique")
    case .order: (11, .warning, "rallies are sorted by start time")
    case .overlap: (12, .warning, "rallies do not overlap")
    case .index: (13, .error, "the selected rally exists")
    case .length: (14, .error, "the rally lasts 3 to 60 s")
    case .clipLength: (15, .error, "the clip is as long as its rally")
    case .noSamples: (16, .info, "the ball was detected in the rally")
    case .version: (17, .warning, "the version of the format is supported")
    case .date: (18, .warning, "dates are in order and not in the future")
    }
  }
}
