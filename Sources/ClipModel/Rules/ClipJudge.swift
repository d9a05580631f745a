/// What the rules for clips, containers, privacy and Mux say of a clip, from its facts alone.
public struct ClipJudge: Sendable {
  /// What Mux takes as it is, at the dates to judge by: a requirement is asked once for each, and the findings name it.
  public var standards: [MuxStandard]
  /// The clip is one that others are to get: what discloses a place is an error.
  public var isPublished: Bool
  /// The user's own grades and bounds of rules.
  public var settings: RuleSettings

  public init(
    standards: [MuxStandard] = [.october2025], isPublished: Bool = false, settings: RuleSettings = RuleSettings()
  ) {
    self.standards = standards
    self.isPublished = isPublished
    self.settings = settings
  }

  /// What all rules together say of one clip.
  public struct Answer: Sendable, Equatable {
    /// Every rule that was asked, in the order of `RuleCatalog`; those that are off are left out.
    public var checks: [RuleCheck] = []
    /// What failed, graded.
    public var findings: [Finding] = []

    public init(checks: [RuleCheck] = [], findings: [Finding] = []) {
      self.checks = checks
      self.findings = findings
    }

    /// Notes one rule's answer.
    /// - Parameters:
    ///   - rule: its stable id.
    ///   - fits: `nil` when unknown.
    ///   - depth: how deep the examination went.
    ///   - finding: reported when `fits` is false.
    public mutating func add(
      _ rule: String, _ fits: Bool?, depth: InspectionDepth = .headers, _ finding: Finding? = nil
    ) {
      checks.append(RuleCheck(rule, fits.map { $0 ? .pass : .fail } ?? .unknown, depth: depth))
      if fits == false, let finding { findings.append(finding) }
    }
  }

  /// Seconds that sound and picture may begin or end apart.
  static let syncTolerance = 0.5

  /// - Parameters:
  ///   - probe: the clip's facts.
  ///   - cut: the part that is meant, seconds.
  ///   - privacyDepth: how deep the file was audited.
  public func judge(
    _ probe: ClipProbe, cut: Range<Double>? = nil, privacyDepth: InspectionDepth = .samples
  ) -> Answer {
    var answer = Answer()
    addClip(probe, cut: cut, to: &answer)
    addContainer(probe, to: &answer)
    addPrivacy(probe, depth: privacyDepth, to: &answer)
    addMux(probe, to: &answer)
    answer.checks = RuleCatalog.ordered(answer.checks.filter { !settings.isOff($0.rule) })
    answer.findings = answer.findings.compactMap(settings.graded)
    return answer
  }

  private func addClip(_ probe: ClipProbe, cut: Range<Double>?, to answer: inout Answer) {
    let video = probe.mainVideo
    let findings = ClipRules(settings).findings(for: probe, cut: cut)
    /// What has to be known for a pass.
    let isKnown: [(rule: String, isKnown: Bool, depth: InspectionDepth)] = [
      ("clip.video", true, .headers), ("clip.one-video", video != nil, .headers),
      ("clip.duration", cut != nil || (video?.durationSeconds ?? probe.durationSeconds) != nil, .headers),
      ("clip.truncated", probe.missingByteCount != nil || probe.missingSeconds != nil, .samples),
      ("clip.color", video != nil, .headers),
      ("clip.interlaced", video?.fieldOrder != nil, .headers),
      ("clip.frame-rate", video?.averageFrameRate != nil, .headers),
      // Only MP4 and QuickTime are looked into.
      ("container.structure", probe.isISO && probe.anomalies.isEmpty, .samples),
    ]
    for (rule, isKnown, depth) in isKnown {
      let own = findings.filter { $0.rule == rule }
      answer.add(rule, own.isEmpty ? (isKnown ? true : nil) : false, depth: depth)
      answer.findings += own
    }
    answer.add(
      "clip.parameter-sets", video?.hasParameterSets,
      Finding(
        breaking: "clip.parameter-sets",
        "nothing tells a decoder how the pictures are coded: parameter sets are missing or damaged",
        place: "track \(video?.index ?? 0)"))
    if let damaged = video?.gop?.damagedKeyFrameSeconds, let first = damaged.first {
      // Only reading them all can show whether the others are whole.
      answer.add(
        "clip.nal-units", false, depth: .samples,
        Finding(
          breaking: "clip.nal-units",
          "\(damaged.count) key frame\(damaged.count == 1 ? " holds" : "s hold") no picture",
          place: "\(decimal(first)) s"))
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
    answer.add(
      "container.faststart", probe.isFastStart,
      Finding(breaking: "container.faststart", "the index is behind the pictures (no faststart)"))
    addBrand(probe, to: &answer)
    addTimes(probe, to: &answer)
    answer.add("container.tables", probe.tableProblems?.isEmpty, depth: .samples)
    answer.findings += (probe.tableProblems ?? []).map {
      Finding(breaking: "container.tables", $0)
    }
    let isCameras = probe.trailer.map { $0.kind != "unknown" } ?? false
    answer.add(
      "container.trailing-data", probe.isISO ? probe.trailer == nil : nil,
      Finding(
        breaking: "container.trailing-data",
        "\(ByteCount.text(probe.trailer?.byteCount ?? 0)) lie behind the end of the file"
          + (isCameras ? " (\(probe.trailer?.kind ?? ""))" : ", and nobody knows what they are"),
        severity: isCameras ? .info : .warning))
  }

  /// Brands of files with moving pictures (mp4ra.org; ISO/IEC 14496-12, annex E; QuickTime).
  private static let brands: Set<String> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "avc1", "hvc1", "mp41", "mp42", "mp71",
    "M4V ", "M4VH", "M4VP", "M4A ", "qt  ", "dash", "cmfc", "cmf2", "cmfs", "msdh", "f4v ", "MSNV", "XAVC", "CAEP",
    "niko", "pana", "av01", "3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3g2a", "3g2b", "3g2c",
  ]

  private func addBrand(_ probe: ClipProbe, to answer: inout Answer) {
    guard probe.isISO else { return answer.add("container.brand", nil) }
    let brands = ([probe.majorBrand].compactMap { $0 }) + (probe.compatibleBrands ?? [])
    answer.add(
      "container.brand", brands.contains(where: Self.brands.contains),
      Finding(
        breaking: "container.brand",
        brands.isEmpty
          ? "the file does not say what kind it is (no ftyp), as before 2001"
          : "the file says that it is \(brands.prefix(4).map { "'\($0)'" }.joined(separator: ", ")), which players do "
            + "not know"))
  }

  private func addTimes(_ probe: ClipProbe, to answer: inout Answer) {
    let tracks =
      probe.videoTracks.filter { !$0.isAttachedPicture }.map { ($0.index, $0.stalledSampleCount) }
      + probe.audioTracks.map { ($0.index, $0.stalledSampleCount) }
    let stalled = tracks.filter { ($0.1 ?? 0) > 0 }
    let isKnown = tracks.allSatisfy { $0.1 != nil }
    answer.add("container.timestamps", stalled.isEmpty ? (isKnown ? true : nil) : false, depth: .samples)
    answer.findings += stalled.map { index, count in
      Finding(
        breaking: "container.timestamps",
        "\(count ?? 0) sample\(count == 1 ? " has" : "s have") the time of another one",
        place: "track \(index)")
    }
  }

  private func addPrivacy(_ probe: ClipProbe, depth: InspectionDepth, to answer: inout Answer) {
    addDevice(probe, depth: depth, to: &answer)
    let found = probe.locationCarriers
    let severity = isPublished ? Finding.Severity.error : .warning
    answer.add("privacy.location", found.isEmpty ? (probe.unauditedParts == nil ? true : nil) : false, depth: depth)
    answer.findings += found.map {
      let what =
        switch $0.disclosure {
        case .faces: "\($0.kind) tells where faces are"
        case .opaque: "nobody can read \($0.kind), so it may tell a place"
        default: "\($0.kind) can tell where it was filmed"
        }
      return Finding(breaking: "privacy.location", what, severity: severity, place: $0.place)
    }
    // What may be published has to be known to disclose nothing.
    if isPublished, found.isEmpty, let part = probe.unauditedParts?.first {
      answer.findings.append(
        Finding(
          breaking: "privacy.location", "nobody can say whether it tells a place: \(part)", severity: severity,
          next: "bsc compress CLIP"))
    }
  }

  private func addDevice(_ probe: ClipProbe, depth: InspectionDepth, to answer: inout Answer) {
    let found = probe.deviceCarriers ?? []
    let isKnown = probe.deviceCarriers != nil && probe.unauditedParts == nil
    answer.add("privacy.device", found.isEmpty ? (isKnown ? true : nil) : false, depth: depth)
    answer.findings += found.map {
      Finding(
        breaking: "privacy.device", "\($0.kind) tells which camera it was, or whose",
        severity: isPublished ? .error : .warning, place: $0.place)
    }
  }

  /// Each rule once, however many standards are asked: it fails when one of them does.
  private func addMux(_ probe: ClipProbe, to answer: inout Answer) {
    var outcomes: [MuxRequirement: RuleOutcome] = [:]
    var seen: Set<String> = []
    for standard in standards.map({ $0.effective(for: probe) }) where seen.insert(standard.name).inserted {
      for check in standard.judge(probe) {
        let requirement = check.requirement
        if outcomes[requirement] != .fail, check.outcome != .pass { outcomes[requirement] = check.outcome }
        outcomes[requirement] = outcomes[requirement] ?? .pass
        guard check.outcome == .fail else { continue }
        let reason = check.value.map { " (\(requirement.reasonKey): \($0))" } ?? ""
        answer.findings.append(
          Finding(breaking: requirement.rawValue, check.message + reason, place: standard.name))
      }
    }
    for requirement in MuxRequirement.allCases {
      guard let outcome = outcomes[requirement] else { continue }
      answer.checks.append(RuleCheck(requirement.rawValue, outcome, depth: requirement.depth))
    }
  }
}

extension ClipProbe {
  /// An ISO base media file: MP4, QuickTime and their kin, the only ones that are looked into box by box.
  var isISO: Bool { tableProblems != nil || majorBrand != nil || isFastStart != nil }
}
