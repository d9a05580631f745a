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
  public var row: Int { entry.row }
  /// How bad a break usually is.
  var severity: Finding.Severity { entry.severity }
  /// What the check demands.
  var summary: String { entry.summary }

  func finding(
    _ severity: Finding.Severity, _ message: String, at place: String? = nil, next: String? = nil
  ) -> Finding {
    Finding(rule: rawValue, severity: severity, message: message, place: place, next: next)
  }

  private var entry: (row: Int, severity: Finding.Severity, summary: String) {
    switch self {
    case .json: (1, .error, "the metadata is a JSON object in UTF-8, not larger than 64 MiB")
    case .segments: (2, .error, "rallySegments is there and an array")
    case .empty: (3, .error, "there is at least one rally")
    case .identifier: (4, .error, "ids are UUIDs")
    case .fileName: (4, .error, "videoId is the UUID in the file's name, when that has one")
    case .value: (5, .error, "every value that is needed is there, of its type, and finite")
    case .times: (6, .error, "a rally starts at or after 0 and ends after its start")
    case .range: (7, .error, "a rally ends inside its video")
    case .score: (8, .error, "confidence and quality lie between 0 and 1")
    case .count: (9, .error, "counts and lengths are not negative")
    case .duplicateID: (10, .error, "no two rallies have the same id")
    case .order: (11, .warning, "rallies are in the order of their starts")
    case .overlap: (12, .warning, "no two rallies share a moment")
    case .index: (13, .error, "the wanted rally exists")
    case .length: (14, .error, "the rally lasts 3 to 60 s")
    case .clipLength: (15, .error, "the clip is as long as its rally")
    case .noSamples: (16, .info, "the ball was seen in the rally")
    case .version: (17, .warning, "the format's version is the known one")
    case .date: (18, .warning, "dates are in order and not in the future")
    }
  }
}
