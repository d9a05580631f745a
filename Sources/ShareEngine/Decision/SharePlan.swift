public import ClipMedia
public import ClipModel
import DurableFiles

/// Decides how a clip is processed, or why it is rejected. All commands use this function, so the same input leads to
/// the same plan everywhere.
public enum SharePlan {
  /// The plan, or the reasons for rejecting the clip.
  public struct Outcome: Sendable {
    /// The plan; `nil` if a finding is an error.
    public var plan: ProcessingPlan?
    /// The rally to share; `nil` without metadata.
    public var rally: SharedRally?
    /// The path of the metadata; `nil` if there is none.
    public var metadataPath: String?
    /// The findings about the clip and its metadata.
    public var findings: [Finding]

    /// Adds findings. If one of them is an error, the plan is removed.
    public mutating func add(_ more: [Finding]) {
      findings += more
      if more.contains(where: { $0.severity == .error }) { plan = nil }
    }
  }

  /// The purpose of a plan.
  public enum Purpose: Sendable, Equatable {
    /// A clip to share: it needs rally metadata, and its length is limited.
    case highlight
    /// A file of any length. If `ofRally` is true, metadata only selects the rally's part of the source.
    case file(ofRally: Bool)
  }

  /// Determines when a sample of a clip is decoded.
  public enum Sampling: Sendable {
    /// A sample is never decoded. The rules that need decoding are not checked.
    case never
    /// A sample is decoded only if the plan copies the video, because no other step decodes it in that case.
    case ofCopies
    /// A sample is always decoded.
    case always
  }

  /// Reads the metadata of a clip, makes the decision, and adds the findings about a decoded sample.
  /// - Parameters:
  ///   - path: the absolute path of the clip. Its metadata is next to it.
  ///   - probe: the result of probing the clip.
  ///   - request: the options.
  ///   - purpose: the purpose of the plan.
  ///   - settings: the severities and limits of the rules.
  ///   - sampling: when a sample is decoded. A rejected clip is not decoded.
  /// - Throws: the errors of `ClipFacts`, `decide` and `DecodingCheck.decodeSample`.
  public static func make(
    path: String, probe: ClipProbe, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings(), sampling: Sampling = .ofCopies
  ) async throws -> Outcome {
    let facts = try await WorkerThread.run("bsc metadata") { _ in
      try ClipFacts(path: path, probe: probe, request: request.metadata, purpose: purpose)
    }
    var outcome = try decide(facts, request: request, purpose: purpose, settings: settings)
    guard let plan = outcome.plan, needsSample(plan, of: probe, sampling) else { return outcome }
    let sample = try await DecodingCheck.decodeSample(path: path)
    outcome.add(verdict(on: sample, request: request, purpose: purpose, settings: settings))
    return outcome
  }

  private static func needsSample(_ plan: ProcessingPlan, of probe: ClipProbe, _ sampling: Sampling) -> Bool {
    switch sampling {
    case .never: false
    case .always: true
    // Bytes missing from the end of the file were found without decoding.
    case .ofCopies: plan.video.encoding == nil && probe.hasDecodableVideo && (probe.missingByteCount ?? 0) == 0
    }
  }

  /// Decides from the clip's properties alone. The result contains all findings about the clip and its metadata.
  /// - Parameters:
  ///   - facts: the properties of the clip.
  ///   - request: the options.
  ///   - purpose: the purpose of the plan.
  ///   - settings: the severities and limits of the rules; only stricter values than the defaults have an effect.
  ///   - hidesLead: as for `ClipRules.plan`.
  /// - Throws: `ShareEngineError` if the cut starts after the end of the clip.
  public static func decide(
    _ facts: ClipFacts, request: ShareRequest, purpose: Purpose = .highlight, settings: RuleSettings = RuleSettings(),
    hidesLead: Bool = false
  ) throws -> Outcome {
    let (probe, sidecar) = (facts.probe, facts.sidecar)
    let settings = settings.stricter
    let rules = purpose == .highlight ? ClipRules(settings) : ClipRules(settings).ofAnyLength
    let cut = try request.cut.map { try clampedCut($0, of: facts) } ?? facts.rallyRange
    let clipFindings = rules.findings(for: probe, cut: cut, salvaging: request.settings.salvages)
    let verdict = rules.plan(
      probe, cut: cut, settings: request.settings, isRally: facts.isRally && request.cut == nil, hidesLead: hidesLead,
      findings: clipFindings)
    var findings = sidecar.findings + clipFindings + captionFindings(request.caption)
    // If the whole clip is the rally, both rules report the same problem.
    if findings.contains(where: { $0.rule == "clip.duration" }) {
      findings.removeAll { $0.rule == RallyCheck.length.rawValue }
    }
    var outcome = Outcome(rally: sidecar.rally, metadataPath: sidecar.path, findings: [])
    if case .plan(let plan) = verdict { outcome.plan = plan }
    outcome.add(findings.compactMap(settings.gradedFinding))
    return outcome
  }

  /// The requested part, clamped to the clip.
  private static func clampedCut(_ cut: Range<Double>, of facts: ClipFacts) throws -> Range<Double> {
    guard let seconds = facts.probe.shownSeconds else { return cut }
    guard cut.lowerBound < seconds else {
      throw ShareEngineError(.cutAfterEnd, ["file": facts.name, "seconds": "\((seconds * 10).rounded() / 10)"])
    }
    return cut.lowerBound..<min(cut.upperBound, seconds)
  }

  private static func captionFindings(_ caption: String?) -> [Finding] {
    let limit = HighlightDraft.maximumCaptionLength
    guard let caption, caption.count > limit else { return [] }
    return [
      Finding(
        rule: "share.caption", severity: .error,
        message: "the caption has \(caption.count) characters; the limit is \(limit)", next: "shorten it")
    ]
  }

  // MARK: Decoded video and audio

  /// The rules that need decoding, for the same purpose as `verdict`.
  public static func decodingRules(_ settings: RuleSettings, purpose: Purpose = .highlight) -> [String] {
    DecodingCheck.Result.unknownEvaluation(settings: settings.stricter, depth: .frames).checks.map(\.rule)
      .filter { purpose == .highlight || fileRules.contains($0) }
  }

  /// The rules that also apply to plain files.
  private static let fileRules: Set = ["clip.decodes", "clip.nal-units"]

  /// The findings about decoded video and audio, checked after planning and before anything is published.
  /// - Parameters:
  ///   - decoding: the result of the transcode, or of a sample check if nothing is transcoded.
  ///   - request: the options. If damaged clips are salvaged, the findings are warnings.
  ///   - purpose: the purpose of the plan. For example, plain files may be black.
  ///   - settings: the severities and limits of the rules.
  public static func verdict(
    on decoding: DecodingCheck.Result, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings()
  ) -> [Finding] {
    var findings = decoding.evaluation(settings: settings.stricter).findings
    findings.removeAll { $0.severity == .info || (purpose != .highlight && !fileRules.contains($0.rule)) }
    if request.settings.salvages {
      for index in findings.indices { findings[index].severity = .warning }
    }
    return findings
  }
}
