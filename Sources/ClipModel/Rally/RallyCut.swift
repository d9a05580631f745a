/// The user's adjustments to a rally in the app (`<videoId>_trims.json`).
package struct RallyTrim: Equatable, Sendable {
  /// The seconds to add before the start and after the end. Negative values shorten the rally.
  package var before: Double
  package var after: Double
  /// Whether the app rotates or zooms the rally during playback, which bsc doesn't support.
  package var changesPicture: Bool

  package init(before: Double, after: Double, changesPicture: Bool = false) {
    self.before = before
    self.after = after
    self.changesPicture = changesPicture
  }
}

/// A rally to cut from a match video, or the reason why it cannot be cut.
package struct RallyCut: Equatable, Sendable {
  /// The zero-based index of the rally, as in the app.
  package var index: Int
  /// The rally after applying its trim; `nil` if the rally doesn't exist.
  package var segment: RallySegment?
  package var trim: RallyTrim?
  /// The part of the file to cut, in seconds; `nil` if any finding is an error.
  package var range: Range<Double>?
  package var findings: [Finding]

  package init(index: Int, trim: RallyTrim? = nil, findings: [Finding] = []) {
    (self.index, self.trim, self.findings) = (index, trim, findings)
  }
}

/// Plans the cut of each rally separately, so a problem with one rally doesn't affect the others.
extension RallyRules {
  package func planCut(_ index: Int, trim: RallyTrim? = nil) -> RallyCut {
    var cut = RallyCut(index: index, trim: trim)
    guard metadata.segments.indices.contains(index) else {
      let count = metadata.segments.count
      let range = count == 1 ? "0 is the only rally" : "rallies are numbered 0 to \(count - 1)"
      cut.findings = [
        RallyCheck.index.makeFinding(
          .error, "rally \(index) does not exist; \(range)", at: "rallySegments",
          next: "choose a different rally; the first rally is 0")
      ]
      return cut
    }
    var segment = metadata.segments[index]
    let path = "rallySegments[\(index)]"
    if let trim {
      segment.startTime = max(segment.startTime - trim.before, 0)
      segment.endTime = min(segment.endTime + trim.after, max(fileSeconds, segment.endTime))
    }
    cut.segment = segment
    guard segment.startTime < segment.endTime else {
      cut.findings = [
        RallyCheck.times.makeFinding(
          .error, "the trim removes the entire rally", at: path, facts: FindingReason.trimmedAway.facts())
      ]
      return cut
    }
    if let finding = rangeFinding(segment, index: index, next: "use the metadata of this video") {
      cut.findings.append(finding)
    }
    cut.findings += lengthFindings(segment, at: path)
    if trim?.changesPicture == true {
      let message = "the app rotates or zooms the video for this rally, but the clip keeps the original framing"
      cut.findings.append(RallyCheck.value.makeFinding(.warning, message, at: path))
    }
    if !cut.findings.contains(where: { $0.severity == .error }) {
      cut.range = segment.startTime..<min(segment.endTime, fileSeconds)
    }
    return cut
  }
}
