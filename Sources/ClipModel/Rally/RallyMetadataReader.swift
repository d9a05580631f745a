internal import Foundation

/// Converts a metadata file to `RallyMetadata` and collects its problems. Performs checks 1 to 6 and 8 to 18, except
/// the parts that need the video.
struct RallyMetadataReader {
  /// The only format version that bsc supports.
  static let knownVersion = "1.0"

  let now: Date
  private(set) var findings: [Finding] = []

  init(now: Date) { self.now = now }

  mutating func readMetadata(_ bytes: [UInt8], fileName: String?) -> RallyMetadata? {
    guard let root = readRootObject(in: bytes) else { return nil }
    let id = readIdentifier("id", in: root)
    let videoID = readIdentifier("videoId", in: root)
    if let videoID, let fileName { compareVideoID(videoID, withFileName: fileName) }
    let partial = readSegments(in: root)
    let version = readVersion(in: root)
    let date = readDate(in: root)
    let sourceIndex = readSourceIndex(in: root, segmentCount: partial.count)
    let segments = partial.compactMap(\.complete)
    guard let id, let videoID, let date, segments.count == partial.count, !segments.isEmpty else { return nil }
    return RallyMetadata(
      id: id, videoID: videoID, processingVersion: version, processingDate: date, segments: segments,
      sourceRallyIndex: sourceIndex)
  }

  mutating func reportFinding(
    _ check: RallyCheck, _ message: String, severity: Finding.Severity = .error, at path: String? = nil,
    next: String? = nil
  ) {
    findings.append(check.makeFinding(severity, message, at: path, next: next))
  }

  // MARK: The file

  private mutating func readRootObject(in bytes: [UInt8]) -> JSONValue? {
    func rejectFile(_ message: String) -> JSONValue? {
      reportFinding(.json, message)
      return nil
    }
    guard !bytes.isEmpty else { return rejectFile("the file is empty") }
    guard bytes.count <= RallyMetadata.byteLimit else {
      return rejectFile("the file is larger than \(RallyMetadata.byteLimit >> 20) MiB")
    }
    // Detects UTF-16 by its byte order mark, or by a zero byte next to the first character, which is ASCII in JSON.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
      return rejectFile("the file is not UTF-8")
    }
    let document = JSONReader.read(bytes)
    for problem in document.problems {
      reportFinding(
        .json, "\(problem.message) (\(JSONReader.position(of: problem.offset, in: bytes)))",
        severity: problem.kind == .duplicateKey ? .warning : .error, at: problem.path.isEmpty ? nil : problem.path)
    }
    guard let root = document.root else { return nil }
    return root.members == nil ? rejectFile("the file contains \(root.typeName) instead of an object") : root
  }

  private mutating func compareVideoID(_ videoID: UUID, withFileName name: String) {
    guard let named = UUID(uuidString: (name as NSString).deletingPathExtension), named != videoID else { return }
    reportFinding(
      .fileName,
      "the file name contains video ID \(named.uuidString), but the metadata contains \(videoID.uuidString)",
      at: "videoId", next: "use this video's metadata file")
  }

  // MARK: Top-level values

  private mutating func readVersion(in root: JSONValue) -> String {
    guard let value = root["processingVersion"], value.kind != .null else { return Self.knownVersion }
    guard let version = value.string else {
      reportTypeMismatch(value, "a string", at: "processingVersion")
      return Self.knownVersion
    }
    if version != Self.knownVersion {
      reportFinding(
        .version, "the format version is \"\(version)\"; bsc supports \(Self.knownVersion)", severity: .warning,
        at: "processingVersion")
    }
    return version
  }

  private mutating func readDate(in root: JSONValue) -> Date? {
    guard let text = readText("processingDate", in: root) else { return nil }
    guard let date = Self.parseDate(text) else {
      reportFinding(.value, "\"\(text)\" is not a date such as 2026-02-20T00:00:00Z", at: "processingDate")
      return nil
    }
    if date > now {
      reportFinding(.date, "the processing date is in the future", severity: .warning, at: "processingDate")
    }
    // These values are optional. However, if processing ended before it started, the clock was wrong and other dates
    // may be too.
    let performance = root["performanceMetrics"]
    let start = performance?["processingStartTime"]?.string.flatMap(Self.parseDate)
    let end = performance?["processingEndTime"]?.string.flatMap(Self.parseDate)
    if let start, let end, end < start {
      reportFinding(
        .date, "processing ended before it started", severity: .warning, at: "performanceMetrics.processingEndTime")
    }
    return date
  }

  /// Parses an ISO 8601 date with a time zone and optional fractional seconds.
  static func parseDate(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }

  /// Reads the rally's index in the source video from the `bsc` object in a sidecar that `bsc cut` wrote.
  private mutating func readSourceIndex(in root: JSONValue, segmentCount: Int) -> Int? {
    guard let origin = root["bsc"] else { return nil }
    guard origin.members != nil else {
      reportTypeMismatch(origin, "an object", at: "bsc")
      return nil
    }
    if let mode = readText("mode", in: origin, path: "bsc."), mode != "clip" {
      reportFinding(.value, "the mode is \"\(mode)\"; it must be \"clip\"", at: "bsc.mode")
    }
    if segmentCount > 1 {
      reportFinding(.segments, "a clip must have one rally, but the metadata has \(segmentCount)", at: "rallySegments")
    }
    guard let index = readInteger("sourceRallyIndex", in: origin, path: "bsc.") else { return nil }
    if index < 0 {
      reportFinding(.index, "the index is \(index); the first rally has index 0", at: "bsc.sourceRallyIndex")
    }
    return index < 0 ? nil : index
  }
}
