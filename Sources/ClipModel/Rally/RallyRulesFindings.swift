internal import Foundation

/// The findings for the chosen rally.
extension RallyRules {
  func lengthFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    guard !RallyLimits.allows(seconds: segment.seconds, in: lengths) else { return [] }
    return [
      RallyCheck.length.finding(
        .error,
        "the rally lasts \(Self.length(segment.seconds)); a highlight must last \(ClipRules.text(lengths)) s",
        at: place, next: "choose a different rally")
    ]
  }

  func clipFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    let difference = abs(fileSeconds - segment.seconds)
    guard difference > Self.clipTolerance else { return [] }
    return [
      RallyCheck.clipLength.finding(
        difference > Self.clipLimit ? .error : .warning,
        "the clip lasts \(Self.length(fileSeconds)), but its rally lasts \(Self.length(segment.seconds))", at: place,
        next: "check that the metadata belongs to this clip")
    ]
  }

  /// In `auto` mode, the file is neither the rally nor a video that contains it.
  func mismatchFinding(_ segment: RallySegment, at place: String) -> Finding {
    RallyCheck.clipLength.finding(
      .error,
      "the file lasts \(Self.length(fileSeconds)), so it is neither the rally (\(Self.length(segment.seconds))) nor a "
        + "video that contains it (\(clock(segment.startTime)) to \(clock(segment.endTime)))",
      at: place, next: "use the metadata of this file, or set --metadata-mode to source or clip")
  }

  /// The rallies with their times, to choose from: `0 (0:31.5-0:40.2, 8.7 s), 1 (…)`.
  var list: String {
    let shown = metadata.segments.prefix(30).enumerated().map { index, segment in
      "\(index) (\(clock(segment.startTime))-\(clock(segment.endTime)), \(Self.length(segment.seconds)))"
    }
    let rest = metadata.segments.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// `8.7 s`. Hundredths are shown if rounding would hide a difference: 2.97 s is not `3.0 s`.
  static func length(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return (abs(tenths - seconds) < 0.005 ? String(format: "%.1f", seconds) : String(format: "%.2f", seconds)) + " s"
  }
}
