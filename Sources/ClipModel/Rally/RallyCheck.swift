/// The checks for rally metadata. The raw values are the stable rule IDs in findings.
public enum RallyCheck: String, CaseIterable, Sendable {
  /// The file contains a JSON object.
  case json = "rally.json"
  /// The metadata contains a list of rallies.
  case segments = "rally.segments"
  /// The metadata contains at least one rally.
  case empty = "rally.empty"
  /// All IDs are UUIDs.
  case identifier = "rally.id"
  /// The UUID in the file name equals the video ID.
  case fileName = "rally.file-name"
  /// All required values exist and have the correct type.
  case value = "rally.value"
  /// Each rally ends after it starts.
  case times = "rally.times"
  /// Each rally lies within the source video.
  case range = "rally.range"
  /// All scores are between 0 and 1.
  case score = "rally.score"
  /// All counts and lengths are nonnegative.
  case count = "rally.count"
  /// All rally IDs are unique.
  case duplicateID = "rally.duplicate-id"
  /// The rallies are sorted by start time.
  case order = "rally.order"
  /// The rallies don't overlap.
  case overlap = "rally.overlap"
  /// The selected rally exists.
  case index = "rally.index"
  /// The duration of the selected rally is within the limits (`RallyLimits`).
  case length = "rally.length"
  /// The clip is as long as its rally.
  case clipLength = "rally.clip-length"
  /// The rally has ball detections. It's normal for early rallies in long videos to have none.
  case noSamples = "rally.no-samples"
  /// bsc supports the format version.
  case version = "rally.version"
  /// The dates are plausible.
  case date = "rally.date"

  /// The number of the check in the format specification (section 3).
  public var row: Int { entry.row }
  /// The default severity.
  var severity: Finding.Severity { entry.severity }
  /// The requirement as a short sentence.
  var summary: String { entry.summary }

  func makeFinding(
    _ severity: Finding.Severity, _ message: String, at place: String? = nil, next: String? = nil,
    facts: [String: String]? = nil
  ) -> Finding {
    Finding(rule: rawValue, severity: severity, message: message, place: place, next: next, facts: facts)
  }

  private var entry: (row: Int, severity: Finding.Severity, summary: String) {
    switch self {
    case .json: (1, .error, "the metadata is a JSON object in UTF-8 of at most 64 MiB")
    case .segments: (2, .error, "rallySegments is an array")
    case .empty: (3, .error, "the metadata has at least one rally")
    case .identifier: (4, .error, "all IDs are UUIDs")
    case .fileName: (4, .error, "the UUID in the file name, if any, equals videoId")
    case .value: (5, .error, "all required values are present, finite, and of the correct type")
    case .times: (6, .error, "each rally starts at or after 0 and ends after it starts")
    case .range: (7, .error, "each rally ends before its video ends")
    case .score: (8, .error, "confidence and quality are between 0 and 1")
    case .count: (9, .error, "counts and lengths are not negative")
    case .duplicateID: (10, .error, "rally IDs are unique")
    case .order: (11, .warning, "rallies are sorted by start time")
    case .overlap: (12, .warning, "rallies do not overlap")
    case .index: (13, .error, "the selected rally exists")
    case .length: (14, .error, "the rally lasts 3 to 60 s")
    case .clipLength: (15, .error, "the clip is as long as its rally")
    case .noSamples: (16, .info, "the app detected the ball during the rally")
    case .version: (17, .warning, "bsc supports the format version")
    case .date: (18, .warning, "dates are in chronological order and not in the future")
    }
  }
}
