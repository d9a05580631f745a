internal import Foundation

/// Reads the rallies, checks each rally (checks 5, 6, 8, 9 and 16), and compares the rallies (checks 10 to 12).
extension RallyMetadataReader {
  /// The readable values of a rally. Each value is checked even if other values are invalid.
  struct PartialSegment {
    var index: Int
    var id: UUID?
    var start: Double?
    var end: Double?
    var confidence: Double?
    var quality: Double?
    var detectionCount: Int?
    var averageTrajectoryLength: Double?

    var path: String { "rallySegments[\(index)]" }

    var complete: RallySegment? {
      guard let id, let start, let end, let confidence, let quality, let detectionCount, let averageTrajectoryLength
      else { return nil }
      return RallySegment(
        id: id, startTime: start, endTime: end, confidence: confidence, quality: quality,
        detectionCount: detectionCount, averageTrajectoryLength: averageTrajectoryLength)
    }
  }

  mutating func readSegments(in root: JSONValue) -> [PartialSegment] {
    guard let value = root["rallySegments"] else {
      reportFinding(.segments, "\"rallySegments\" is missing", at: "rallySegments")
      return []
    }
    guard let elements = value.elements else {
      reportFinding(.segments, "expected an array, found \(value.typeName)", at: "rallySegments")
      return []
    }
    if elements.isEmpty { reportFinding(.empty, "the list of rallies is empty", at: "rallySegments") }
    let partial = elements.enumerated().map { index, element in readSegment(element, index: index) }
    compareIdentifiers(partial)
    compareTimes(partial)
    return partial
  }

  private mutating func readSegment(_ value: JSONValue, index: Int) -> PartialSegment {
    var segment = PartialSegment(index: index)
    guard value.members != nil else {
      reportTypeMismatch(value, "an object", at: segment.path)
      return segment
    }
    let path = "\(segment.path)."
    segment.id = readIdentifier("id", in: value, path: path)
    segment.start = readFiniteNumber("startTime", in: value, path: path)
    segment.end = readFiniteNumber("endTime", in: value, path: path)
    segment.confidence = readFiniteNumber("confidence", in: value, path: path)
    segment.quality = readFiniteNumber("quality", in: value, path: path)
    segment.detectionCount = readInteger("detectionCount", in: value, path: path)
    segment.averageTrajectoryLength = readFiniteNumber("averageTrajectoryLength", in: value, path: path)
    checkValues(segment)
    return segment
  }

  private mutating func checkValues(_ segment: PartialSegment) {
    var path: String { segment.path }
    if let start = segment.start, start < 0 {
      reportFinding(.times, "the rally starts at \(start) s, before the start of the video", at: "\(path).startTime")
    }
    if let start = segment.start, let end = segment.end, end <= start {
      reportFinding(.times, "the rally starts at \(start) s, but ends at \(end) s", at: "\(path).endTime")
    }
    for (name, score) in [("confidence", segment.confidence), ("quality", segment.quality)] {
      // The app averages values of up to 1, and rounding may raise the result slightly.
      guard let score, !(-1e-9...1 + 1e-9).contains(score) else { continue }
      reportFinding(.score, "\(name) must be between 0 and 1, not \(score)", at: "\(path).\(name)")
    }
    if let count = segment.detectionCount, count < 0 {
      reportFinding(.count, "the count must not be negative: \(count)", at: "\(path).detectionCount")
    }
    if let length = segment.averageTrajectoryLength, length < 0 {
      reportFinding(.count, "the length must not be negative: \(length) s", at: "\(path).averageTrajectoryLength")
    }
    if segment.confidence == 0, segment.quality == 0, segment.detectionCount == 0 {
      reportFinding(
        .noSamples,
        "the app stored no ball detections for this rally, which is normal for early rallies in long videos",
        severity: .info,
        at: path)
    }
  }

  private mutating func compareIdentifiers(_ segments: [PartialSegment]) {
    var first: [UUID: PartialSegment] = [:]
    for segment in segments {
      guard let id = segment.id else { continue }
      if let other = first[id] {
        reportFinding(.duplicateID, "\(other.path) already has this ID", at: "\(segment.path).id")
      } else {
        first[id] = segment
      }
    }
  }

  private mutating func compareTimes(_ segments: [PartialSegment]) {
    let timed = segments.compactMap { segment in
      if let start = segment.start, let end = segment.end { (segment: segment, start: start, end: end) } else { nil }
    }
    for (earlier, later) in zip(timed, timed.dropFirst()) where later.start < earlier.start {
      reportFinding(
        .order, "the rally starts before the previous rally; rallies are numbered in file order", severity: .warning,
        at: "\(later.segment.path).startTime")
    }
    // The rally with the latest end so far, which may overlap rallies other than the next one.
    let ordered = timed.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    guard var longest = ordered.first else { return }
    for (earlier, later) in zip(ordered, ordered.dropFirst()) {
      if later.start == earlier.start, later.end == earlier.end {
        reportFinding(.overlap, "the rally has the same times as \(earlier.segment.path)", at: later.segment.path)
      } else if later.start < longest.end {
        reportFinding(
          .overlap, "the rally starts at \(later.start) s, but \(longest.segment.path) ends at \(longest.end) s",
          severity: .warning, at: "\(later.segment.path).startTime")
      }
      if later.end > longest.end { longest = later }
    }
  }
}
