internal import Foundation

/// Converts a metadata file to `RallyMetadata` and collects its problems: checks 1 to 6 and 8 to 18, as far as they
/// need only the file.
struct RallyMetadataReader {
  /// The only version of the format.
  static let knownVersion = "1.0"

  let now: Date
  private(set) var findings: [Finding] = []

  init(now: Date) { self.now = now }

  mutating func read(_ bytes: [UInt8], fileName: String?) -> RallyMetadata? {
    guard let root = object(in: bytes) else { return nil }
    let id = identifier("id", in: root)
    let videoID = identifier("videoId", in: root)
    if let videoID, let fileName { compare(videoID, withFileName: fileName) }
    let partial = segments(in: root)
    let version = version(in: root)
    let date = self.date(in: root)
    let sourceIndex = sourceIndex(in: root, segmentCount: partial.count)
    let segments = partial.compactMap(\.complete)
    guard let id, let videoID, let date, segments.count == partial.count, !segments.isEmpty else { return nil }
    return RallyMetadata(
      id: id, videoID: videoID, processingVersion: version, processingDate: date, segments: segments,
      sourceRallyIndex: sourceIndex)
  }

  mutating func report(
    _ check: RallyCheck, _ message: String, severity: Finding.Severity = .error, at path: String? = nil,
    next: String? = nil
  ) {
    findings.append(check.finding(severity, message, at: path, next: next))
  }

  // MARK: The file

  private mutating func object(in bytes: [UInt8]) -> JSONValue? {
    func reject(_ message: String) -> JSONValue? {
      report(.json, message)
      return nil
    }
    guard !bytes.isEmpty else { return reject("the file is empty") }
    guard bytes.count <= RallyMetadata.byteLimit else {
      return reject("the file is larger than \(RallyMetadata.byteLimit >> 20) MiB")
    }
    // A UTF-16 byte order mark, or a zero byte next to the first character, which is ASCII in JSON.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
      return reject("the file is not UTF-8")
    }
    let document = JSONReader.read(bytes)
    for problem in document.problems {
      report(
        .json, "\(problem.message) (\(JSONReader.position(of: problem.offset, in: bytes)))",
        severity: problem.kind == .duplicateKey ? .warning : .error, at: problem.path.isEmpty ? nil : problem.path)
    }
    guard let root = document.root else { return nil }
    return root.members == nil ? reject("the file contains \(root.typeName) instead of an object") : root
  }

  private mutating func compare(_ videoID: UUID, withFileName name: String) {
    guard let named = UUID(uuidString: (name as NSString).deletingPathExtension), named != videoID else { return }
    report(
      .fileName,
      "the file name contains a different video ID: \(named.uuidString) instead of \(videoID.uuidString)",
      at: "videoId", next: "use the metadata file of this video")
  }

  // MARK: Top-level values

  private mutating func version(in root: JSONValue) -> String {
    guard let value = root["processingVersion"], value.kind != .null else { return Self.knownVersion }
    guard let version = value.string else {
      reportType(value, "a string", at: "processingVersion")
      return Self.knownVersion
    }
    if version != Self.knownVersion {
      report(
        .version, "the format version is \"\(version)\"; bsc supports \(Self.knownVersion)", severity: .warning,
        at: "processingVersion")
    }
    return version
  }

  private mutating func date(in root: JSONValue) -> Date? {
    guard let text = text("processingDate", in: root) else { return nil }
    guard let date = Self.date(text) else {
      report(.value, "\"\(text)\" is not a date such as 2026-02-20T00:00:00Z", at: "processingDate")
      return nil
    }
    if date > now { report(.date, "the processing date is in the future", severity: .warning, at: "processingDate") }
    // These values are optional, but a clock that ran backward indicates that the other dates are wrong too.
    let performance = root["performanceMetrics"]
    let start = performance?["processingStartTime"]?.string.flatMap(Self.date)
    let end = performance?["processingEndTime"]?.string.flatMap(Self.date)
    if let start, let end, end < start {
      report(
        .date, "the processing ended before it started", severity: .warning, at: "performanceMetrics.processingEndTime")
    }
    return date
  }

  /// Parses an ISO 8601 date with a time zone, with or without fractional seconds.
  static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }

  /// The index of the rally in the source, from the `bsc` object of a sidecar that `bsc cut` wrote.
  private mutating func sourceIndex(in root: JSONValue, segmentCount: Int) -> Int? {
    guard let origin = root["bsc"] else { return nil }
    guard origin.members != nil else {
      reportType(origin, "an object", at: "bsc")
      return nil
    }
    if let mode = text("mode", in: origin, path: "bsc."), mode != "clip" {
      report(.value, "the mode is \"\(mode)\"; bsc only writes \"clip\"", at: "bsc.mode")
    }
    if segmentCount > 1 {
      report(.segments, "a clip must have one rally, but the metadata has \(segmentCount)", at: "rallySegments")
    }
    guard let index = integer("sourceRallyIndex", in: origin, path: "bsc.") else { return nil }
    if index < 0 { report(.index, "the index is \(index); the first rally has index 0", at: "bsc.sourceRallyIndex") }
    return index < 0 ? nil : index
  }
}
