import ClipMedia
import ClipModel

extension DecodingCheck.Result {
  /// Of a file without a picture: all that would have been asked is unknown.
  static func unanswered(settings: RuleSettings, depth: InspectionDepth) -> ClipJudge.Answer {
    let asked = DecodingCheck.Result(depth: depth).answer(settings: settings).checks
    return ClipJudge.Answer(checks: asked.map { RuleCheck($0.rule, .unknown, depth: depth) })
  }

  /// What the rules say that only decoding can answer.
  func answer(settings: RuleSettings) -> ClipJudge.Answer {
    var answer = ClipJudge.Answer()
    answer.add("clip.decodes", damage.isEmpty ? (undecoded.isEmpty ? true : nil) : false, depth: depth)
    answer.findings += damage.map {
      // A crack in the sound is heard for a moment; a picture that is lost takes those behind it along.
      Finding(
        rule: "clip.decodes", severity: $0.track == "audio" ? .warning : .error,
        message: "the \($0.track) is damaged: \($0.why)",
        place: "\(decimal($0.seconds)) s", next: "copy it again from the camera, or bsc compress --salvage")
    }
    answer.add("clip.nal-units", brokenUnits?.isEmpty, depth: depth)
    answer.findings += (brokenUnits ?? []).map {
      Finding(
        rule: "clip.nal-units", severity: .error, message: $0.why, place: "\(decimal($0.seconds)) s",
        next: "copy it again from the camera, or bsc compress --salvage")
    }
    answer.add(
      "clip.black", !isBlack, depth: depth,
      Finding(
        rule: "clip.black", severity: .warning, message: "the clip is black", next: "choose a clip that shows play"))
    answer.add(
      "clip.frozen", !isFrozen, depth: depth,
      Finding(
        rule: "clip.frozen", severity: .warning, message: "the picture stands still",
        next: "choose a clip that shows play"))
    addSound(to: &answer, settings: settings)
    answer.checks.removeAll { settings.isOff($0.rule) }
    answer.findings = answer.findings.compactMap(settings.graded)
    return answer
  }

  private func addSound(to answer: inout ClipJudge.Answer, settings: RuleSettings) {
    guard let loudness else {
      // No sound is neither too loud nor clipped; sound that nobody could read may be both.
      for rule in ["clip.loudness", "clip.clipping"] { answer.add(rule, hasSound ? nil : true, depth: depth) }
      return
    }
    let range = settings.range("clip.loudness")
    let level = loudness.integratedLUFS
    answer.add(
      "clip.loudness", level.map { range?.contains($0) ?? true } ?? false, depth: depth,
      Finding(
        rule: "clip.loudness", severity: .info,
        message: level.map { "the sound is \($0 < (range?.lowerBound ?? 0) ? "quiet" : "loud"): \(decimal($0)) LUFS" }
          ?? "the sound is silent",
        next: "export the clip with another level, or share it without sound: --mute"))
    let places = loudness.clippedSeconds.prefix(3).map { "\(decimal($0)) s" }.joined(separator: ", ")
    answer.add(
      "clip.clipping", loudness.clippedRuns == 0, depth: depth,
      Finding(
        rule: "clip.clipping", severity: .info,
        message: "the sound is clipped in \(loudness.clippedRuns) "
          + (loudness.clippedRuns == 1 ? "place" : "places") + ", first at \(places)",
        next: "record with a lower level, or share it without sound: --mute"))
  }
}
