/// Evaluates the rules for clips, containers, privacy and Mux from the properties of a clip.
public struct RuleEvaluator: Sendable {
  /// The Mux standards to check against. Each requirement is checked once per standard, and its findings name the
  /// standard.
  public var standards: [MuxStandard]
  /// Whether the clip is going to be published, in which case location and device metadata are errors.
  public var isPublished: Bool
  /// The user's severities and limits for rules.
  public var settings: RuleSettings

  public init(
    standards: [MuxStandard] = [.october2025], isPublished: Bool = false, settings: RuleSettings = RuleSettings()
  ) {
    self.standards = standards
    self.isPublished = isPublished
    self.settings = settings
  }

  /// The number of seconds by which the starts or ends of audio and video may differ.
  static let syncTolerance = 0.5

  /// Evaluates every enabled rule.
  /// - Parameters:
  ///   - probe: the properties of the clip.
  ///   - cut: the selected part, in seconds.
  ///   - privacyDepth: how deeply the file was audited.
  public func evaluate(
    _ probe: ClipProbe, cut: Range<Double>? = nil, privacyDepth: InspectionDepth = .samples
  ) -> RuleEvaluation {
    var evaluation = RuleEvaluation()
    addClip(probe, cut: cut, to: &evaluation)
    addContainer(probe, to: &evaluation)
    addPrivacy(probe, depth: privacyDepth, to: &evaluation)
    addMux(probe, to: &evaluation)
    evaluation.checks = RuleCatalog.ordered(evaluation.checks.filter { !settings.isOff($0.rule) })
    evaluation.findings = evaluation.findings.compactMap(settings.graded)
    return evaluation
  }

  private func addClip(_ probe: ClipProbe, cut: Range<Double>?, to evaluation: inout RuleEvaluation) {
    let video = probe.mainVideo
    let found = Dictionary(grouping: ClipRules(settings).findings(for: probe, cut: cut), by: \.rule)
    let rules: [(id: String, isKnown: Bool, depth: InspectionDepth)] = [
      ("clip.video", true, .headers), ("clip.one-video", video != nil, .headers),
      ("clip.duration", cut != nil || probe.shownSeconds != nil, .headers),
      ("clip.truncated", probe.missingByteCount != nil || probe.missingSeconds != nil, .samples),
      ("clip.color", video != nil, .headers),
      ("clip.interlaced", video?.fieldOrder != nil, .headers),
      ("clip.frame-rate", video?.averageFrameRate != nil, .headers),
      // Only the structure of MP4 and QuickTime files is examined.
      ("container.structure", probe.isISO && probe.anomalies.isEmpty, .samples),
    ]
    for rule in rules { evaluation.add(rule.id, isKnown: rule.isKnown, depth: rule.depth, found[rule.id] ?? []) }
    evaluation.add(
      "clip.parameter-sets", video?.hasParameterSets,
      Finding(
        breaking: "clip.parameter-sets", "the video cannot be decoded: its parameter sets are missing or damaged",
        place: "track \(video?.index ?? 0)"))
    if let damaged = video?.gop?.damagedKeyFrameSeconds, let first = damaged.first {
      // Intact key frames prove nothing about the other frames, so this rule never passes here.
      let message =
        "\(damaged.count.counting("key frame")) \(damaged.count == 1 ? "contains" : "contain") no video data"
      let finding = Finding(breaking: "clip.nal-units", message, place: "\(decimal(first)) s")
      evaluation.add("clip.nal-units", false, depth: .samples, finding)
    }
    addSync(probe, to: &evaluation)
  }

  private func addSync(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    guard let audio = probe.mainAudio, let video = probe.mainVideo else {
      return evaluation.add("clip.sync", probe.audioTracks.isEmpty ? true : nil)
    }
    guard let videoSeconds = video.durationSeconds, let audioSeconds = audio.durationSeconds else {
      return evaluation.add("clip.sync", nil)
    }
    let start = (audio.startSeconds ?? 0) - (video.startSeconds ?? 0)
    let end = start + audioSeconds - videoSeconds
    let (offset, verb) = abs(start) > abs(end) ? (start, "starts") : (end, "ends")
    let message = "the audio \(verb) \(decimal(abs(offset))) s \(offset > 0 ? "after" : "before") the video"
    evaluation.add(
      "clip.sync", abs(offset) <= Self.syncTolerance,
      Finding(rule: "clip.sync", severity: .warning, message: message, place: "track \(audio.index)"))
  }

  private func addContainer(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    evaluation.add(
      "container.faststart", probe.isFastStart,
      Finding(breaking: "container.faststart", "the index is at the end of the file (no fast start)"))
    addBrand(probe, to: &evaluation)
    addTimestamps(probe, to: &evaluation)
    evaluation.add(
      "container.tables", isKnown: probe.tableProblems != nil, depth: .samples,
      (probe.tableProblems ?? []).map { Finding(breaking: "container.tables", $0) })
    let trailer = probe.trailer.map { trailer in
      let isRecognized = trailer.kind != "unknown"
      return Finding(
        breaking: "container.trailing-data",
        "the file has \(ByteCount.text(trailer.byteCount)) of \(isRecognized ? trailer.kind : "unknown") data after "
          + "the last box",
        severity: isRecognized ? .info : .warning)
    }
    evaluation.add("container.trailing-data", probe.isISO ? trailer == nil : nil, trailer)
  }

  /// Brands of video files (mp4ra.org; ISO/IEC 14496-12, annex E; QuickTime).
  private static let brands: Set<String> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "avc1", "hvc1", "mp41", "mp42", "mp71",
    "M4V ", "M4VH", "M4VP", "M4A ", "qt  ", "dash", "cmfc", "cmf2", "cmfs", "msdh", "f4v ", "MSNV", "XAVC", "CAEP",
    "niko", "pana", "av01", "3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3g2a", "3g2b", "3g2c",
  ]

  private func addBrand(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    let brands = [probe.majorBrand].compactMap(\.self) + (probe.compatibleBrands ?? [])
    let names = brands.prefix(4).map { "'\($0)'" }.joined(separator: ", ")
    evaluation.add(
      "container.brand", probe.isISO ? brands.contains(where: Self.brands.contains) : nil,
      Finding(
        breaking: "container.brand",
        brands.isEmpty ? "the file has no type (ftyp)" : "players do not recognize the file type \(names)"))
  }

  private func addTimestamps(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    let tracks =
      probe.videoTracks.filter { !$0.isAttachedPicture }.map { ($0.index, $0.stalledSampleCount) }
      + probe.audioTracks.map { ($0.index, $0.stalledSampleCount) }
    evaluation.add(
      "container.timestamps", isKnown: tracks.allSatisfy { $0.1 != nil }, depth: .samples,
      tracks.compactMap { index, count in
        guard let count, count > 0 else { return nil }
        let message = "found \(count.counting("sample")) with the same timestamp as another sample"
        return Finding(breaking: "container.timestamps", message, place: "track \(index)")
      })
  }

  private func addPrivacy(_ probe: ClipProbe, depth: InspectionDepth, to evaluation: inout RuleEvaluation) {
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
        case .opaque: "\($0.kind) has an unknown format and may contain a location"
        default: "\($0.kind) may contain the filming location"
        }
      return Finding(breaking: "privacy.location", message, severity: severity, place: $0.place)
    }
    evaluation.add("privacy.location", isKnown: probe.unauditedParts == nil, depth: depth, found)
    // Before publishing, it must be certain that there is no location data.
    if isPublished, found.isEmpty, let part = probe.unauditedParts?.first {
      let message = "location data cannot be ruled out: \(part)"
      evaluation.findings.append(
        Finding(breaking: "privacy.location", message, severity: severity, next: "bsc compress CLIP"))
    }
  }

  /// Adds each requirement once. It fails if any of the standards fails.
  private func addMux(_ probe: ClipProbe, to evaluation: inout RuleEvaluation) {
    var outcomes: [MuxRequirement: RuleOutcome] = [:]
    var seen: Set<String> = []
    for standard in standards.map({ $0.effective(for: probe) }) where seen.insert(standard.name).inserted {
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

/// The result of evaluating the rules for one clip.
public struct RuleEvaluation: Sendable, Equatable {
  /// Every rule that was checked, in the order of `RuleCatalog`. Rules that are turned off are not included.
  public var checks: [RuleCheck] = []
  /// The failures, with the severities from the settings.
  public var findings: [Finding] = []

  public init(checks: [RuleCheck] = [], findings: [Finding] = []) {
    self.checks = checks
    self.findings = findings
  }

  /// Adds the outcome of one rule.
  /// - Parameters:
  ///   - rule: the rule's ID.
  ///   - passes: `nil` if unknown.
  ///   - depth: how deeply the file was inspected.
  ///   - finding: added if the rule fails.
  public mutating func add(
    _ rule: String, _ passes: Bool?, depth: InspectionDepth = .headers, _ finding: Finding? = nil
  ) {
    checks.append(RuleCheck(rule, passes.map { $0 ? .pass : .fail } ?? .unknown, depth: depth))
    if passes == false, let finding { findings.append(finding) }
  }

  /// Adds a rule that fails with any finding, and otherwise passes if everything it checks is known.
  mutating func add(_ rule: String, isKnown: Bool, depth: InspectionDepth, _ found: [Finding]) {
    checks.append(RuleCheck(rule, found.isEmpty ? (isKnown ? .pass : .unknown) : .fail, depth: depth))
    findings += found
  }
}

extension ClipProbe {
  /// An ISO base media file: MP4, QuickTime and related formats, the only ones that are examined box by box.
  var isISO: Bool { tableProblems != nil || majorBrand != nil || isFastStart != nil }
}
