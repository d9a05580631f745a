internal import Foundation

/// Reads the rallies, checks each one (checks 5, 6, 8, 9, 16), and compares them with each other (10 to 12).
extension RallyMetadataReader {
  /// The readable values of a rally. They are checked even if others are damaged.
  struct Partial {
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

  mutating func segments(in root: JSONValue) -> [Partial] {
    guard let value = root["rallySegments"] else {
      report(.segments, "\"rallySegments\" is missing", at: "rallySegments")
      return []
    }
    guard let elements = value.elements else {
      report(.segments, "expected an array, found \(value.typeName)", at: "rallySegments")
      return []
    }
    if elements.isEmpty { report(.empty, "the list of rallies is empty", at: "rallySegments") }
    let partial = elements.enumerated().map { index, element in segment(element, index: index) }
    compareIdentifiers(partial)
    compareTimes(partial)
    return partial
  }

  private mutating func segment(_ value: JSONValue, index: Int) -> Partial {
    var segment = Partial(index: index)
    guard value.members != nil else {
      reportType(value, "an object", at: segment.path)
      return segment
    }
    let path = "\(segment.path)."
    segment.id = identifier("id", in: value, path: path)
    segment.start = finite("startTime", in: value, path: path)
    segment.end = finite("endTime", in: value, path: path)
    segment.confidence = finite("confidence", in: value, path: path)
    segment.quality = finite("quality", in: value, path: path)
    segment.detectionCount = integer("detectionCount", in: value, path: path)
    segment.averageTrajectoryLength = finite("averageTrajectoryLength", in: value, path: path)
    check(segment)
    return segment
  }

  private mutating func check(_ segment: Partial) {
    var path: String { segment.path }
    if let start = segment.start, start < 0 {
      report(.times, "the rally starts at \(start) s, before the start of the video", at: "\(path).startTime")
    }
    if let start = segment.start, let end = segment.end, end <= start {
      report(.times, "the rally ends at \(end) s, but starts at \(start) s", at: "\(path).endTime")
    }
    for (name, score) in [("confidence", segment.confidence), ("quality", segment.quality)] {
      // The app computes means of values up to 1, which rounding may raise slightly.
      guard let score, !(-1e-9...1 + 1e-9).contains(score) else { continue }
      report(.score, "\(name) is \(score); it must be between 0 and 1", at: "\(path).\(name)")
    }
    if let count = segment.detectionCount, count < 0 {
      report(.count, "the count is \(count); it must not be negative", at: "\(path).detectionCount")
    }
    if let length = segment.averageTrajectoryLength, length < 0 {
      report(.count, "the length is \(length) s; it must not be negative", at: "\(path).averageTrajectoryLength")
    }
    if segment.confidence == 0, segment.quality == 0, segment.detectionCount == 0 {
      report(
        .noSamples, "the app kept no ball detections for this rally (normal early in long videos)", severity: .info,
        at: path)
    }
  }

  private mutating func compareIdentifiers(_ segments: [Partial]) {
    var first: [UUID: Partial] = [:]
    for segment in segments {
      guard let id = segment.id else { continue }
      if let other = first[id] {
        report(.duplicateID, "the ID is already used by \(other.path)", at: "\(segment.path).id")
      } else {
        first[id] = segment
      }
    }
  }

  private mutating func compareTimes(_ segments: [Partial]) {
    let timed = segments.compactMap { segment in
      if let start = segment.start, let end = segment.end { (segment: segment, start: start, end: end) } else { nil }
    }
    for (earlier, later) in zip(timed, timed.dropFirst()) where later.start < earlier.start {
      report(
        .order, "the rally starts before the previous one; --rally uses the order in the file", severity: .warning,
        at: "\(later.segment.path).startTime")
    }
    // The rally with the latest end so far: it may overlap more than its neighbor.
    let ordered = timed.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    guard var longest = ordered.first else { return }
    for (earlier, later) in zip(ordered, ordered.dropFirst()) {
      if later.start == earlier.start, later.end == earlier.end {
        report(.overlap, "the rally has the same times as \(earlier.segment.path)", at: later.segment.path)
      } else if later.start < longest.end {
        report(
          .overlap, "the rally starts at \(later.start) s, but \(longest.segment.path) ends at \(longest.end) s",
          severity: .warning, at: "\(later.segment.path).startTime")
      }
      if later.end > longest.end { longest = later }
    }
  }
}
