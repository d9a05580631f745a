/// What the rules for clips, containers, privacy and Mux say of a clip, from its facts alone.
public struct ClipJudge: Sendable {
  public var standards: [MuxStandard]
  /// The clip is one that others are to get: what tells a place is an error.
  public var isPublished: Bool
  public var settings: RuleSettings

  public init(
    standards: [MuxStandard] = [.october2025], isPublished: Bool = false, settings: RuleSettings = RuleSettings()
  ) {
    self.standards = standards
    self.isPublished = isPublished
    self.settings = settings
  }

  public struct Answer: Sendable, Equatable {
    public var checks: [RuleCheck] = []
    public var findings: [Finding] = []

    public init(checks: [RuleCheck] = [], findings: [Finding] = []) {
      self.checks = checks
      self.findings = findings
    }

    public mutating func add(
      _ rule: String, _ fits: Bool?, depth: InspectionDepth = .headers, _ finding: Finding? = nil
    ) {
      checks.append(RuleCheck(rule, fits.map { $0 ? .pass : .fail } ?? .unknown, depth: depth))
      if fits == false, let finding { findings.append(finding) }
    }
  }

  /// Seconds that sound and picture may begin or end apart.
  static let syncTolerance = 0.5

  /// - Parameter cut: the part that is meant, seconds.
  public func judge(_ probe: ClipProbe, cut: Range<Double>? = nil) -> Answer {
    var answer = Answer()
    addClip(probe, cut: cut, to: &answer)
    addContainer(probe, to: &answer)
    addPrivacy(probe, to: &answer)
    for standard in standards { addMux(standard, probe, to: &answer) }
    answer.checks.removeAll { settings.isOff($0.rule) }
    answer.findings = answer.findings.compactMap(settings.graded)
    return answer
  }

  private func addClip(_ probe: ClipProbe, cut: Range<Double>?, to answer: inout Answer) {
    let video = probe.mainVideo
    let rules = ClipRules(
      seconds: settings.range("clip.duration", usually: RallyLimits.seconds),
      frameRates: settings.range("clip.frame-rate", usually: ClipRules.StandardInput.frameRates))
    let findings = rules.findings(for: probe, cut: cut).filter { $0.rule != "clip.container" }
    /// What has to be known for a pass.
    let isKnown: [(rule: String, isKnown: Bool, depth: InspectionDepth)] = [
      ("clip.video", true, .headers),
      ("clip.duration", cut != nil || (video?.durationSeconds ?? probe.durationSeconds) != nil, .headers),
      ("clip.truncated", probe.missingByteCount != nil, .samples),
      ("clip.color", video != nil, .headers),
      ("clip.interlaced", video?.fieldOrder != nil, .headers),
      ("clip.frame-rate", video?.averageFrameRate != nil, .headers),
    ]
    for (rule, isKnown, depth) in isKnown {
      let own = findings.filter { $0.rule == rule }
      answer.add(rule, own.isEmpty ? (isKnown ? true : nil) : false, depth: depth)
      answer.findings += own
    }
    addSync(probe, to: &answer)
  }

  private func addSync(_ probe: ClipProbe, to answer: inout Answer) {
    guard let audio = probe.mainAudio, let video = probe.mainVideo else {
      return answer.add("clip.sync", probe.audioTracks.isEmpty ? true : nil)
    }
    guard let length = video.durationSeconds, let sound = audio.durationSeconds else {
      return answer.add("clip.sync", nil)
    }
    let start = (audio.startSeconds ?? 0) - (video.startSeconds ?? 0)
    let end = start + sound - length
    let apart = abs(start) > abs(end) ? start : end
    answer.add(
      "clip.sync", abs(apart) <= Self.syncTolerance,
      Finding(
        rule: "clip.sync", severity: .warning,
        message: "the sound \(abs(start) > abs(end) ? "begins" : "ends") \(decimal(abs(apart))) s "
          + "\(apart > 0 ? "after" : "before") the picture", place: "track \(audio.index)"))
  }

  private func addContainer(_ probe: ClipProbe, to answer: inout Answer) {
    // Only MP4 and QuickTime are looked into.
    let isMovie = probe.majorBrand != nil || probe.isFastStart != nil
    answer.add("container.structure", isMovie ? probe.anomalies.isEmpty : nil, depth: .samples)
    answer.findings += probe.anomalies.map {
      Finding(
        rule: "container.structure", severity: .warning, message: $0,
        next: "write it anew: bsc compress CLIP, or ffmpeg -i CLIP -c copy OUT.mp4")
    }
    answer.add(
      "container.faststart", probe.isFastStart,
      Finding(
        rule: "container.faststart", severity: .info, message: "the index is behind the pictures (no faststart)",
        next: "bsc compress CLIP"))
  }

  private func addPrivacy(_ probe: ClipProbe, to answer: inout Answer) {
    let found = probe.locationCarriers
    let severity = isPublished ? Finding.Severity.error : .warning
    answer.add("privacy.location", found.isEmpty ? (probe.unauditedParts == nil ? true : nil) : false, depth: .samples)
    answer.findings += found.map {
      let what =
        switch $0.disclosure {
        case .faces: "\($0.kind) tells where faces are"
        case .opaque: "nobody can read \($0.kind), so it may tell a place"
        default: "\($0.kind) can tell where it was filmed"
        }
      return Finding(
        rule: "privacy.location", severity: severity, message: what, place: $0.place, next: "bsc strip CLIP")
    }
    // What may be published has to be known to tell nothing.
    if isPublished, found.isEmpty, let part = probe.unauditedParts?.first {
      answer.findings.append(
        Finding(
          rule: "privacy.location", severity: severity, message: "nobody can say whether it tells a place: \(part)",
          next: "bsc compress CLIP"))
    }
  }

  private func addMux(_ standard: MuxStandard, _ probe: ClipProbe, to answer: inout Answer) {
    for check in standard.judge(probe) {
      let requirement = check.requirement
      answer.checks.append(RuleCheck(requirement.rawValue, check.outcome, depth: requirement.depth))
      guard check.outcome == .fail else { continue }
      let reason = check.value.map { " (\(requirement.reasonKey): \($0))" } ?? ""
      answer.findings.append(
        Finding(
          rule: requirement.rawValue, severity: .warning, message: check.message + reason, place: standard.name,
          next: "bsc compress CLIP"))
    }
  }
}
