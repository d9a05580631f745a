import ClipMedia
import ClipModel

extension DecodingCheck.Result {
  /// Returns the evaluation of a file without decodable video. The outcome of all rules that need decoding is unknown.
  static func makeUnknownEvaluation(
    settings: RuleSettings, depth: InspectionDepth, checksContent: Bool = true
  ) -> RuleEvaluation {
    let result = DecodingCheck.Result(depth: depth)
    let checks = result.evaluateRules(settings: settings, checksContent: checksContent).checks
    return RuleEvaluation(checks: checks.map { RuleCheck($0.rule, .unknown, depth: depth) })
  }

  /// Evaluates the rules that need decoded video or audio.
  /// - Parameter checksContent: whether to evaluate what the clip shows and how loud it is, not only whether it is
  ///   damaged.
  func evaluateRules(settings: RuleSettings, checksContent: Bool = true) -> RuleEvaluation {
    var evaluation = RuleEvaluation()
    evaluation.add("clip.decodes", damage.isEmpty ? (undecoded.isEmpty ? true : nil) : false, depth: depth)
    evaluation.findings += damage.map {
      // Damaged audio is only audible for a moment, but a damaged video frame also affects the frames that follow.
      Finding(
        breaking: "clip.decodes", "the \($0.track) is damaged: \($0.why)",
        severity: $0.track == "audio" ? .warning : .error, place: "\(decimal($0.seconds)) s")
    }
    evaluation.add("clip.nal-units", brokenUnits?.isEmpty, depth: depth)
    evaluation.findings += (brokenUnits ?? []).map {
      Finding(breaking: "clip.nal-units", $0.why, place: "\(decimal($0.seconds)) s")
    }
    if checksContent {
      addVideoChecks(to: &evaluation)
      addAudioChecks(to: &evaluation, settings: settings)
    }
    evaluation.checks.removeAll { settings.isOff($0.rule) }
    evaluation.findings = evaluation.findings.compactMap(settings.gradedFinding)
    return evaluation
  }

  private func addVideoChecks(to evaluation: inout RuleEvaluation) {
    let next = "choose a clip in which the rally is visible"
    evaluation.add(
      "clip.black", !isBlack, depth: depth, Finding(breaking: "clip.black", "the video is black", next: next))
    evaluation.add(
      "clip.frozen", !isFrozen, depth: depth, Finding(breaking: "clip.frozen", "the video is a still image", next: next)
    )
  }

  private func addAudioChecks(to evaluation: inout RuleEvaluation, settings: RuleSettings) {
    guard let loudness else {
      // A clip without audio passes. If the audio cannot be decoded, the outcome is unknown.
      for rule in ["clip.loudness", "clip.clipping"] { evaluation.add(rule, hasAudio ? nil : true, depth: depth) }
      return
    }
    let range = settings.allowedRange("clip.loudness")
    let level = loudness.integratedLUFS
    evaluation.add(
      "clip.loudness", level.map { range?.contains($0) ?? true } ?? false, depth: depth,
      Finding(
        breaking: "clip.loudness",
        level.map { "the audio is \($0 < (range?.lowerBound ?? 0) ? "quiet" : "loud"): \(decimal($0)) LUFS" }
          ?? "the audio is silent",
        facts: FindingReason.level.facts()))
    let seconds = loudness.clippedSeconds.prefix(3).map { "\(decimal($0)) s" }.joined(separator: ", ")
    evaluation.add(
      "clip.clipping", loudness.clippedRuns == 0, depth: depth,
      Finding(
        breaking: "clip.clipping",
        "the audio is clipped \(loudness.clippedRuns.withNoun("time")), first at \(seconds)",
        facts: FindingReason.level.facts()))
  }
}
