internal import Foundation

/// The rallies: each by itself (checks 5, 6, 8, 9, 16), then against each other (10 to 12).
extension RallyMetadataReader {
  /// A rally as far as it could be read, so that a damaged one does not hide what else is wrong.
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

  /// `nil` when there is no list at all.
  mutating func segments(in root: JSONValue) -> [Partial]? {
    guard let value = root["rallySegments"] else {
      report(.segments, "\"rallySegments\" is missing", at: "rallySegments")
      return nil
    }
    guard let elements = value.elements else {
      report(.segments, "expected an array, found \(value.typeName)", at: "rallySegments")
      return nil
    }
    if elements.isEmpty { report(.empty, "there is no rally in it", at: "rallySegments") }
    let partial = elements.enumerated().map { index, element in segment(element, index: index) }
    compareIdentifiers(partial)
    compareTimes(partial)
    return partial
  }

  private mutating func segment(_ value: JSONValue, index: Int) -> Partial {
    var segment = Partial(index: index)
    guard value.members != nil else {
      mistyped(value, segment.path, "an object")
      return segment
    }
    let empty = segment
    func place(_ key: String) -> String { "\(empty.path).\(key)" }
    segment.id = identifier(in: value, "id", at: place("id"))
    segment.start = finite(in: value, "startTime", at: place("startTime"))
    segment.end = finite(in: value, "endTime", at: place("endTime"))
    segment.confidence = finite(in: value, "confidence", at: place("confidence"))
    segment.quality = finite(in: value, "quality", at: place("quality"))
    segment.detectionCount = integer(in: value, "detectionCount", at: place("detectionCount"))
    segment.averageTrajectoryLength = finite(
      in: value, "averageTrajectoryLength", at: place("averageTrajectoryLength"))
    check(segment)
    return segment
  }

  private mutating func check(_ segment: Partial) {
    var path: String { segment.path }
    if let start = segment.start, start < 0 {
      report(.times, "the rally starts at \(start) s, before the video", at: "\(path).startTime")
    }
    if let start = segment.start, let end = segment.end, end <= start {
      report(.times, "the rally ends at \(end) s, not after its start at \(start) s", at: "\(path).endTime")
    }
    for (name, score) in [("confidence", segment.confidence), ("quality", segment.quality)] {
      // The app computes means of values up to 1; their sum may round up a little.
      guard let score, !(-1e-9...1 + 1e-9).contains(score) else { continue }
      report(.score, "\(name) is \(score); it lies between 0 and 1", at: "\(path).\(name)")
    }
    if let count = segment.detectionCount, count < 0 {
      report(.count, "the count is \(count)", at: "\(path).detectionCount")
    }
    if let length = segment.averageTrajectoryLength, length < 0 {
      report(.count, "the length is \(length) s", at: "\(path).averageTrajectoryLength")
    }
    if segment.confidence == 0, segment.quality == 0, segment.detectionCount == 0 {
      report(.noSamples, .info, "no samples were kept for this rally, as in the early part of long videos", at: path)
    }
  }

  private mutating func compareIdentifiers(_ segments: [Partial]) {
    var first: [UUID: Int] = [:]
    first.reserveCapacity(segments.count)
    for segment in segments {
      guard let id = segment.id else { continue }
      if let other = first[id] {
        report(.duplicateID, "the id is already that of \(segments[other].path)", at: "\(segment.path).id")
      } else {
        first[id] = segment.index
      }
    }
  }

  private mutating func compareTimes(_ segments: [Partial]) {
    let timed = segments.compactMap { segment in
      if let start = segment.start, let end = segment.end { (segment: segment, start: start, end: end) } else { nil }
    }
    for (earlier, later) in zip(timed, timed.dropFirst()) where later.start < earlier.start {
      report(
        .order, .warning, "the rally starts before the one in front of it; --rally counts in file order",
        at: "\(later.segment.path).startTime")
    }
    // The rally that ends last so far: a long one can overlap more than its neighbour.
    let ordered = timed.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    guard var longest = ordered.first else { return }
    for (earlier, later) in zip(ordered, ordered.dropFirst()) {
      if later.start == earlier.start, later.end == earlier.end {
        report(.overlap, "the rally has the same times as \(earlier.segment.path)", at: later.segment.path)
      } else if later.start < longest.end {
        report(
          .overlap, .warning,
          "the rally starts at \(later.start) s, before \(longest.segment.path) ends at \(longest.end) s",
          at: "\(later.segment.path).startTime")
      }
      if later.end > longest.end { longest = later }
    }
  }
}
