/// What somebody changed about a rally in the app (`<videoId>_trims.json`).
package struct RallyTrim: Equatable, Sendable {
  /// Seconds in front of the rally and behind it: positive makes it longer, negative cuts into it.
  package var before: Double
  package var after: Double
  /// The app turns or enlarges it when it shows it; bsc does not.
  package var changesPicture: Bool

  package init(before: Double, after: Double, changesPicture: Bool = false) {
    self.before = before
    self.after = after
    self.changesPicture = changesPicture
  }
}

/// A rally of a match as it is cut out, or why it cannot be.
package struct RallyCut: Equatable, Sendable {
  /// Zero-based, as in the app.
  package var index: Int
  /// With its trim; `nil` when there is no such rally.
  package var segment: RallySegment?
  package var trim: RallyTrim?
  /// Its place in the file, seconds; `nil` when a finding is an error.
  package var range: Range<Double>?
  package var findings: [Finding]

  package init(index: Int, trim: RallyTrim? = nil, findings: [Finding] = []) {
    (self.index, self.trim, self.findings) = (index, trim, findings)
  }
}

/// Rallies that are cut out of the file one by one: what is wrong with one says nothing of the others.
extension RallyRules {
  package func cut(_ index: Int, trim: RallyTrim? = nil) -> RallyCut {
    var cut = RallyCut(index: index, trim: trim, findings: [])
    guard metadata.segments.indices.contains(index) else {
      let count = metadata.segments.count
      cut.findings = [
        RallyCheck.index.finding(
          .error,
          "there is no rally \(index); "
            + (count == 1 ? "there is only rally 0" : "there are rallies 0 to \(count - 1)"),
          at: "rallySegments", next: "name others, counted from 0")
      ]
      return cut
    }
    var segment = metadata.segments[index]
    let place = "rallySegments[\(index)]"
    if let trim {
      segment.startTime = max(segment.startTime - trim.before, 0)
      segment.endTime = min(segment.endTime + trim.after, max(fileSeconds, segment.endTime))
    }
    cut.segment = segment
    guard segment.startTime < segment.endTime else {
      cut.findings = [
        RallyCheck.times.finding(
          .error, "its trim leaves nothing of it", at: place, next: "leave --trims out, or trim it again in the app")
      ]
      return cut
    }
    if let outside = rangeFinding(segment, index: index, next: "use the metadata of this video") {
      cut.findings.append(outside)
    }
    cut.findings += lengthFindings(segment, at: place)
    if trim?.changesPicture == true {
      cut.findings.append(
        RallyCheck.value.finding(
          .warning, "the app shows it turned or enlarged; the clip is as it was filmed", at: place)
      )
    }
    if !cut.findings.contains(where: { $0.severity == .error }) {
      cut.range = segment.startTime..<min(segment.endTime, fileSeconds)
    }
    return cut
  }
}
