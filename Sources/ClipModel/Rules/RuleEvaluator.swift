/// Evaluates the clip, container, privacy and Mux rules against a clip's properties.
public struct RuleEvaluator: Sendable {
  /// The Mux standards to check the clip against. Each requirement is checked once per standard, and findings contain
  /// the name of the standard.
  public var standards: [MuxStandard]
  /// Whether the clip will be published. If so, location and device metadata are errors.
  public var isPublished: Bool
  /// The user's severities and limits.
  public var settings: RuleSettings

  public init(
    standards: [MuxStandard] = [.october2025], isPublished: Bool = false, settings: RuleSettings = RuleSettings()
  ) {
    self.standards = standards
    self.isPublished = isPublished
    self.settings = settings
  }

  /// The maximum difference, in seconds, between the starts or the ends of audio and video.
  static let syncTolerance = 0.5

  /// Evaluates every enabled rule.
  /// - Parameters:
  ///   - probe: the properties of the clip.
  ///   - cut: the selected part of the clip, in seconds.
  ///   - isMatch: whether the file is a match without a selected rally. If so, `rally.length` limits the lengths of its
  ///     rallies, and the length of the file has no limit.
  ///   - depth: the depth of the inspection. If the clip is decoded, `clip.nal-units` isn't evaluated here, because
  ///     decoding is more reliable.
  public func evaluate(
    _ probe: ClipProbe, cut: Range<Double>? = nil, isMatch: Bool = false, depth: InspectionDepth = .samples
  ) -> RuleEvaluation {
    var evaluation = RuleEvaluation()
    addClipRules(probe, cut: cut, isMatch: isMatch, depth: depth, to: &evaluation)
    addContainerRules(probe, to: &evaluation)
    addPrivacyRules(probe, depth: depth == .everything ? .everything : .samples, to: &evaluation)
    addMuxRules(probe, to: &evaluation)
    evaluation.checks = RuleCatalog.sortedChecks(evaluation.checks.filter { !settings.isOff($0.rule) })
    evaluation.findings = evaluation.findings.compactMap(settings.gradedFinding)
    return evaluation
  }

  private func addClipRules(
    _ probe: ClipProbe, cut: Range<Double>?, isMatch: Bool, depth: InspectionDepth,
    to evaluation: inout RuleEvaluation
  ) {
    let video = probe.mainVideo
    let limits = isMatch ? ClipRules(settings).ofAnyLength : ClipRules(settings)
    let found = Dictionary(grouping: limits.findings(for: probe, cut: cut), by: \.rule)
    let rules: [(id: String, isKnown: Bool, depth: InspectionDepth)] = [
      ("clip.video", true, .headers), ("clip.one-video", video != nil, .headers),
      ("clip.duration", !isMatch && (cut != nil || probe.shownSeconds != nil), .headers),
      ("clip.truncated", probe.missingByteCount != nil || probe.missingSeconds != nil, .samples),
      ("clip.color", video != nil, .headers),
      ("clip.interlaced", video?.fieldOrder != nil, .headers),
      ("clip.frame-rate", video?.averageFrameRate != nil, .headers),
      // The reader checks only the structure of MP4 and QuickTime files.
      ("container.structure", probe.isISO && probe.anomalies.isEmpty, .samples),
    ]
    for rule in rules {
      evaluation.add(
        rule.id, isKnown: rule.isKnown, depth: rule.depth, found[rule.id] ?? [],
        reason: isMatch && rule.id == "clip.duration"
          ? "the file is a match, so rally.length checks its rallies instead" : nil)
    }
    evaluation.add(
      "clip.parameter-sets", video?.hasParameterSets,
      Finding(
        breaking: "clip.parameter-sets", "the video cannot be decoded: its parameter sets are missing or damaged",
        place: "track \(video?.index ?? 0)"))
    if depth <= .samples, let damaged = video?.gop?.damagedKeyFrameSeconds, let first = damaged.first {
      // The rule never passes here: intact key frames don't prove that the other frames are intact.
      let message =
        "\(damaged.count.withNoun("key frame")) \(damaged.count == 1 ? "contains" : "contain") no video data"
      let finding = Finding(breaking: "clip.nal-units", message, place: "\(decimal(first)) s")
      evaluation.add("clip.nal-units", false, depth: .samples, finding)
    }
    addSyncRule(probe, to: &evaluation)
  }

  private func addSyncRule(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    guard let audio = probe.mainAudio, let video = probe.mainVideo else {
      return evaluation.add("clip.sync", probe.audioTracks.isEmpty ? true : nil)
    }
    guard let videoSeconds = video.durationSeconds, let audioSeconds = audio.durationSeconds else {
      return evaluation.add("clip.sync", nil)
    }
    let start = (audio.startSeconds ?? 0) - (video.startSeconds ?? 0)
    // In MP4 and QuickTime files, the duration of a track includes the empty edit before its first sample.
    let end = audioSeconds - videoSeconds + (probe.isISO ? 0 : start)
    let (offset, verb) = abs(start) > abs(end) ? (start, "starts") : (end, "ends")
    let message = "the audio \(verb) \(decimal(abs(offset))) s \(offset > 0 ? "after" : "before") the video"
    evaluation.add(
      "clip.sync", abs(offset) <= Self.syncTolerance,
      Finding(rule: "clip.sync", severity: .warning, message: message, place: "track \(audio.index)"))
  }

  private func addContainerRules(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    evaluation.add(
      "container.faststart", probe.isFastStart,
      Finding(breaking: "container.faststart", "the index is at the end of the file (no fast start)"))
    addBrandRule(probe, to: &evaluation)
    addTimestampRule(probe, to: &evaluation)
    evaluation.add(
      "container.tables", isKnown: probe.tableProblems != nil, depth: .samples,
      (probe.tableProblems ?? []).map { Finding(breaking: "container.tables", $0) })
    let trailer = probe.trailer.map { trailer in
      let isRecognized = trailer.kind != "unknown"
      return Finding(
        breaking: "container.trailing-data",
        "the file has \(ByteCount.text(trailer.byteCount)) of \(isRecognized ? trailer.kind : "unknown") data "
          + "after the last box",
        severity: isRecognized ? .info : .warning)
    }
    evaluation.add("container.trailing-data", probe.isISO ? trailer == nil : nil, trailer)
  }

  /// The known brands of video files (mp4ra.org; ISO/IEC 14496-12, annex E; QuickTime).
  private static let brands: Set<String> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "avc1", "hvc1", "mp41", "mp42", "mp71",
    "M4V ", "M4VH", "M4VP", "M4A ", "qt  ", "dash", "cmfc", "cmf2", "cmfs", "msdh", "f4v ", "MSNV", "XAVC", "CAEP",
    "niko", "pana", "av01", "3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3g2a", "3g2b", "3g2c",
  ]

  private func addBrandRule(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    let brands = [probe.majorBrand].compactMap(\.self) + (probe.compatibleBrands ?? [])
    let names = brands.prefix(4).map { "'\($0)'" }.joined(separator: ", ")
    evaluation.add(
      "container.brand", probe.isISO ? brands.contains(where: Self.brands.contains) : nil,
      Finding(
        breaking: "container.brand",
        brands.isEmpty ? "the file type is missing (no ftyp box)" : "players do not recognize the file type \(names)"))
  }

  private func addTimestampRule(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    let tracks =
      probe.videoTracks.filter { !$0.isAttachedPicture }.map { ($0.index, $0.stalledSampleCount) }
      + probe.audioTracks.map { ($0.index, $0.stalledSampleCount) }
    evaluation.add(
      "container.timestamps", isKnown: tracks.allSatisfy { $0.1 != nil }, depth: .samples,
      tracks.compactMap { index, count in
        guard let count, count > 0 else { return nil }
        let message = "\(count.withNoun("sample")) with the same timestamp as another sample"
        return Finding(breaking: "container.timestamps", message, place: "track \(index)")
      })
  }

  private func addPrivacyRules(_ probe: ClipProbe, depth: InspectionDepth, to evaluation: inout RuleEvaluation) {
    let severity = isPublished ? Finding.Severity.error : .warning
    evaluation.add(
      "privacy.device", isKnown: probe.deviceCarriers != nil && probe.unauditedParts == nil, depth: depth,
      (probe.deviceCarriers ?? []).map {
        let message = "\($0.kind) identifies the camera or its owner"
        return Finding(breaking: "privacy.device", message, severity: severity, place: $0.place)
      })
    let found = probe.locationCarriers.map {
      let message =
        switch $0.disclosure {
        case .faces: "\($0.kind) contains the positions of faces"
        case .opaque: "\($0.kind) has an unknown format and may contain location data"
        default: "\($0.kind) may contain location data"
        }
      return Finding(breaking: "privacy.location", message, severity: severity, place: $0.place)
    }
    evaluation.add("privacy.location", isKnown: probe.unauditedParts == nil, depth: depth, found)
    // Before a clip is published, location data must be ruled out with certainty.
    if isPublished, found.isEmpty, let part = probe.unauditedParts?.first {
      let message = "location data cannot be ruled out: \(part)"
      evaluation.findings.append(
        Finding(breaking: "privacy.location", message, severity: severity, facts: FindingReason.unaudited.facts()))
    }
  }

  /// Adds each Mux requirement once. A requirement fails if it fails for any of the standards.
  private func addMuxRules(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    var outcomes: [MuxRequirement: RuleOutcome] = [:]
    var seen: Set<String> = []
    for standard in standards.map({ $0.effectiveStandard(for: probe) }) where seen.insert(standard.name).inserted {
      for check in standard.evaluate(probe) {
        let requirement = check.requirement
        if outcomes[requirement] != .fail, check.outcome != .pass { outcomes[requirement] = check.outcome }
        outcomes[requirement] = outcomes[requirement] ?? .pass
        guard check.outcome == .fail else { continue }
        let reason = check.value.map { " (\(requirement.reasonKey): \($0))" } ?? ""
        evaluation.findings.append(
          Finding(breaking: requirement.rawValue, check.message + reason, place: standard.name))
      }
    }
    for requirement in MuxRequirement.allCases {
      guard let outcome = outcomes[requirement] else { continue }
      evaluation.checks.append(RuleCheck(requirement.rawValue, outcome, depth: requirement.depth))
    }
  }
}

/// The result of evaluating the rules for a clip.
public struct RuleEvaluation: Sendable, Equatable {
  /// The checked rules, in catalog order. Disabled rules are not included.
  public var checks: [RuleCheck] = []
  /// The findings, with the severities from the settings.
  public var findings: [Finding] = []

  public init(checks: [RuleCheck] = [], findings: [Finding] = []) {
    self.checks = checks
    self.findings = findings
  }

  /// Adds the outcome of a rule.
  /// - Parameters:
  ///   - rule: the rule ID.
  ///   - passes: whether the rule passes; `nil` if unknown.
  ///   - depth: how deeply the file was inspected.
  ///   - finding: the finding to add if the rule fails.
  public mutating func add(
    _ rule: String, _ passes: Bool?, depth: InspectionDepth = .headers, _ finding: Finding? = nil
  ) {
    checks.append(RuleCheck(rule, passes.map { $0 ? .pass : .fail } ?? .unknown, depth: depth))
    if passes == false, let finding { findings.append(finding) }
  }

  /// Adds the outcome of a rule that fails if there are any findings. Otherwise, it passes only if `isKnown` is true.
  /// - Parameter reason: the reason why the outcome is unknown.
  mutating func add(
    _ rule: String, isKnown: Bool, depth: InspectionDepth, _ found: [Finding], reason: String? = nil
  ) {
    checks.append(
      RuleCheck(rule, found.isEmpty ? (isKnown ? .pass : .unknown) : .fail, depth: depth, reason: reason))
    findings += found
  }
}

extension ClipProbe {
  /// Whether the file is an ISO base media file, such as MP4 or QuickTime. Only these files are checked box by box.
  var isISO: Bool { tableProblems != nil || majorBrand != nil || isFastStart != nil }
}
