internal import Foundation

/// The findings for the selected rally.
extension RallyRules {
  func lengthFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    guard !RallyLimits.allows(seconds: segment.seconds, in: lengths) else { return [] }
    return [
      RallyCheck.length.makeFinding(
        .error,
        "the rally lasts \(Self.formatLength(segment.seconds)); a highlight must last "
          + "\(ClipRules.formatRange(lengths)) s",
        at: place, next: "choose a different rally")
    ]
  }

  func clipLengthFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    let difference = abs(fileSeconds - segment.seconds)
    guard difference > Self.clipTolerance else { return [] }
    return [
      RallyCheck.clipLength.makeFinding(
        difference > Self.clipLimit ? .error : .warning,
        "the clip lasts \(Self.formatLength(fileSeconds)), but its rally lasts \(Self.formatLength(segment.seconds))",
        at: place, next: "check that the metadata belongs to this clip")
    ]
  }

  /// Returns the finding for a file that, in `auto` mode, is neither the rally nor a video that contains the rally.
  func mismatchFinding(_ segment: RallySegment, at place: String) -> Finding {
    RallyCheck.clipLength.makeFinding(
      .error,
      "the file lasts \(Self.formatLength(fileSeconds)), so it is neither the rally "
        + "(\(Self.formatLength(segment.seconds))) nor the match that contains it "
        + "(\(clock(segment.startTime)) to \(clock(segment.endTime)))",
      at: place, facts: FindingReason.mismatch.facts())
  }

  /// The available rallies and their times: `0 (0:31.5-0:40.2, 8.7 s), 1 (…)`.
  var list: String {
    let shown = metadata.segments.prefix(30).enumerated().map { index, segment in
      "\(index) (\(clock(segment.startTime))-\(clock(segment.endTime)), \(Self.formatLength(segment.seconds)))"
    }
    let rest = metadata.segments.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Formats a duration as `8.7 s`. Shows hundredths if rounding would hide a difference: 2.97 s is not shown as `3.0
  /// s`.
  static func formatLength(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return (abs(tenths - seconds) < 0.005 ? String(format: "%.1f", seconds) : String(format: "%.2f", seconds)) + " s"
  }
}
