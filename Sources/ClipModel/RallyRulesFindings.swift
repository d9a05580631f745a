internal import Foundation

/// The checks of the chosen rally, and their words.
extension RallyRules {
  func lengthFindings(_ segment: RallySegment, at place: String) -> [Finding] {
    guard !RallyLimits.allows(seconds: segment.seconds) else { return [] }
    let limits = RallyLimits.seconds
    return [
      RallyCheck.length.finding(
        .error,
        "the rally lasts \(Self.length(segment.seconds)); "
          + "a highlight has \(Int(limits.lowerBound)) to \(Int(limits.upperBound)) s",
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
        + "and not its source, as the rally lies at \(Self.text(segment.startTime)) to \(Self.text(segment.endTime))",
      at: place, next: "use the metadata of this file, or force --metadata-mode source or clip")
  }

  /// The rallies with their times, for a person to choose from: `0 (0:31.5-0:40.2, 8.7 s), 1 (…)`.
  var list: String {
    let shown = metadata.segments.prefix(30).enumerated().map { index, segment in
      "\(index) (\(Self.text(segment.startTime))-\(Self.text(segment.endTime)), \(Self.length(segment.seconds)))"
    }
    let rest = metadata.segments.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// `8.7 s`; hundredths near a limit would otherwise read `3 s` for 2.97.
  static func length(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return (abs(tenths - seconds) < 0.005 ? String(format: "%.1f", seconds) : String(format: "%.2f", seconds)) + " s"
  }

  /// A place in a video: `1:02.3`, hours only when there are some.
  static func text(_ seconds: Double) -> String {
    // Metadata is anybody's file: times beyond any video are shown as they are.
    guard seconds >= 0, seconds < 1e9 else { return "\(seconds) s" }
    let tenths = Int((seconds * 10).rounded())
    let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
    let tail = String(format: "%02d.%d", rest / 10, rest % 10)
    return hours > 0 ? String(format: "%d:%02d:", hours, minutes) + tail : "\(minutes):" + tail
  }
}
