internal import Foundation

/// The checks of the chosen rally, and their words.
extension RallyRules {
  func lengthFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    guard !RallyLimits.allows(seconds: segment.seconds, in: lengths) else { return [] }
    return [
      RallyCheck.length.finding(
        .error,
        "the rally lasts \(Self.length(segment.seconds)); "
          + "a highlight has \(decimal(lengths.lowerBound)) to \(decimal(lengths.upperBound)) s",
        at: place, next: "choose another rally")
    ]
  }

  func clipFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    let difference = abs(fileSeconds - segment.seconds)
    guard difference > Self.clipTolerance else { return [] }
    return [
      RallyCheck.clipLength.finding(
        difference > Self.clipLimit ? .error : .warning,
        "the clip lasts \(Self.length(fileSeconds)), its rally \(Self.length(segment.seconds))", at: place,
        next: "check that the metadata belongs to this clip")
    ]
  }

  /// In `auto` mode: the file is neither the rally nor a video that it lies in.
  func neither(_ segment: RallySegment, at place: String) -> Finding {
    RallyCheck.clipLength.finding(
      .error,
      "the file lasts \(Self.length(fileSeconds)): it is not the rally, which lasts \(Self.length(segment.seconds)), "
        + "and not its source, as the rally lies at \(clock(segment.startTime)) to \(clock(segment.endTime))",
      at: place, next: "use the metadata of this file, or force --metadata-mode source or clip")
  }

  /// The rallies with their times, for a person to choose from: `0 (0:31.5-0:40.2, 8.7 s), 1 (…)`.
  var list: String {
    let shown = metadata.segments.prefix(30).enumerated().map { index, segment in
      "\(index) (\(clock(segment.startTime))-\(clock(segment.endTime)), \(Self.length(segment.seconds)))"
    }
    let rest = metadata.segments.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// `8.7 s`; hundredths near a limit would otherwise read `3 s` for 2.97.
  static func length(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return (abs(tenths - seconds) < 0.005 ? String(format: "%.1f", seconds) : String(format: "%.2f", seconds)) + " s"
  }
}
