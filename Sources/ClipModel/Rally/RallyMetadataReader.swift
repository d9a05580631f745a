internal import Foundation

/// Turns a metadata file into `RallyMetadata` and collects what is wrong with it, checks 1 to 6 and 8 to 18 that need
/// nothing but the file.
struct RallyMetadataReader {
  /// The only version of the format there is.
  static let knownVersion = "1.0"

  let now: Date
  private(set) var findings: [Finding] = []

  init(now: Date) { self.now = now }

  mutating func read(_ bytes: [UInt8], fileName: String?) -> RallyMetadata? {
    guard let root = object(in: bytes) else { return nil }
    let id = identifier(in: root, "id")
    let videoID = identifier(in: root, "videoId")
    if let videoID, let fileName { compare(videoID, withFileName: fileName) }
    let partial = segments(in: root)
    let version = version(in: root)
    let date = self.date(in: root)
    let origin = origin(in: root, segmentCount: partial?.count ?? 0)
    let complete = partial.map { $0.compactMap(\.complete) }
    guard let id, let videoID, let date, let partial, let complete, complete.count == partial.count, !partial.isEmpty
    else { return nil }
    return RallyMetadata(
      id: id, videoID: videoID, processingVersion: version, processingDate: date, segments: complete,
      sourceRallyIndex: origin)
  }

  mutating func report(_ check: RallyCheck, _ message: String, at place: String? = nil, next: String? = nil) {
    findings.append(check.finding(.error, message, at: place, next: next))
  }

  mutating func report(
    _ check: RallyCheck, _ severity: Finding.Severity, _ message: String, at place: String? = nil
  ) {
    findings.append(check.finding(severity, message, at: place))
  }

  // MARK: The file

  private mutating func object(in bytes: [UInt8]) -> JSONValue? {
    guard !bytes.isEmpty else { return refuse("the file is empty") }
    guard bytes.count <= RallyMetadata.byteLimit else {
      return refuse("the file has more than \(RallyMetadata.byteLimit >> 20) MiB")
    }
    // A byte order mark of UTF-16, or a 0 in the first ASCII character, which JSON always begins with.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
      return refuse("the file is not UTF-8")
    }
    let document = JSONReader.read(bytes)
    for problem in document.problems {
      report(
        .json, problem.kind == .duplicateKey ? .warning : .error,
        "\(problem.message) (\(JSONPosition(of: problem.offset, in: bytes)))",
        at: problem.path.isEmpty ? nil : problem.path)
    }
    guard let root = document.root else { return nil }
    guard root.members != nil else { return refuse("the file holds \(root.typeName) instead of an object") }
    return root
  }

  private mutating func refuse(_ message: String) -> JSONValue? {
    report(.json, message)
    return nil
  }

  private mutating func compare(_ videoID: UUID, withFileName name: String) {
    guard let named = UUID(uuidString: (name as NSString).deletingPathExtension), named != videoID else { return }
    report(
      .fileName, "the file is named after video \(named.uuidString) and is about \(videoID.uuidString)",
      at: "videoId", next: "use the metadata file of this video")
  }

  // MARK: Values at the top

  private mutating func version(in root: JSONValue) -> String {
    guard let value = root["processingVersion"] else { return Self.knownVersion }
    guard let version = value.string else {
      if case .null = value.kind { return Self.knownVersion }
      mistyped(value, "processingVersion", "text")
      return Self.knownVersion
    }
    if version != Self.knownVersion {
      report(
        .version, .warning, "the format has version \"\(version)\"; this bsc knows \(Self.knownVersion)",
        at: "processingVersion")
    }
    return version
  }

  private mutating func date(in root: JSONValue) -> Date? {
    guard let text = text(in: root, "processingDate") else { return nil }
    guard let date = Self.date(text) else {
      report(.value, "\"\(text)\" is not a date such as 2026-02-20T00:00:00Z", at: "processingDate")
      return nil
    }
    if date > now { report(.date, .warning, "the processing date lies in the future", at: "processingDate") }
    // Not needed, so not an error when missing: but a clock that ran backwards is worth a word.
    let performance = root["performanceMetrics"]
    let start = performance?["processingStartTime"]?.string.flatMap(Self.date)
    let end = performance?["processingEndTime"]?.string.flatMap(Self.date)
    if let start, let end, end < start {
      report(.date, .warning, "processing ended before it began", at: "performanceMetrics.processingEndTime")
    }
    return date
  }

  /// ISO 8601 with zone, with or without fractions of a second.
  static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }

  /// The index in the original, from the `bsc` object of a sidecar that `bsc cut` wrote.
  private mutating func origin(in root: JSONValue, segmentCount: Int) -> Int? {
    guard let note = root["bsc"] else { return nil }
    guard note.members != nil else {
      mistyped(note, "bsc", "an object")
      return nil
    }
    if let mode = text(in: note, "mode", at: "bsc.mode"), mode != "clip" {
      report(.value, "the mode is \"\(mode)\"; bsc writes \"clip\"", at: "bsc.mode")
    }
    if segmentCount > 1 {
      report(.segments, "the clip is said to be one rally, but there are \(segmentCount)", at: "rallySegments")
    }
    guard let index = integer(in: note, "sourceRallyIndex", at: "bsc.sourceRallyIndex") else { return nil }
    guard index >= 0 else {
      report(.index, "the index is \(index); the first rally has 0", at: "bsc.sourceRallyIndex")
      return nil
    }
    return index
  }
}
