public import ClipMedia
public import ClipModel
import DurableFiles

/// Decides how a clip is processed, or whether it is rejected. All commands use the same decision, so the same input
/// always leads to the same plan.
public enum SharePlan {
  /// A clip's plan, or the reasons for rejecting the clip.
  public struct Outcome: Sendable {
    /// The processing plan, or `nil` if a finding is an error.
    public var plan: ProcessingPlan?
    /// The rally to share, or `nil` if there is no metadata.
    public var rally: SharedRally?
    /// The path of the metadata file, or `nil` if there is none.
    public var metadataPath: String?
    /// The findings about the clip and its metadata.
    public var findings: [Finding]

    /// Adds findings. If a finding is an error, the plan is removed.
    public mutating func add(_ more: [Finding]) {
      findings += more
      if more.contains(where: { $0.severity == .error }) { plan = nil }
    }
  }

  /// The purpose of a plan.
  public enum Purpose: Sendable, Equatable {
    /// A clip to share. It needs rally metadata, and its length is limited.
    case highlight
    /// A file of any length. If `ofRally` is true, the metadata only selects the part of the source that contains the
    /// rally.
    case file(ofRally: Bool)
    /// A rally to cut from a match, as a clip that can be shared later. The same rules as for a highlight apply, and the
    /// end of the rally may move to keep the clip's length within the limits. `hidesLead` is the argument for
    /// `ClipRules.plan`.
    case cut(hidesLead: Bool)

    /// Whether the rules for highlights apply. They limit the length, and evaluate what the clip shows.
    var isHighlight: Bool { if case .file = self { false } else { true } }

    var isCut: Bool { if case .cut = self { true } else { false } }
  }

  /// The condition for decoding a sample of a clip.
  public enum Sampling: Sendable {
    /// A sample is never decoded. The rules that need decoding are not checked.
    case never
    /// A sample is decoded only if the plan copies the video, because no other step decodes copied video.
    case ofCopies
    /// A sample is always decoded.
    case always
  }

  /// Reads a clip's metadata, decides on the plan, and adds the findings about a decoded sample.
  /// - Parameters:
  ///   - clip: the open clip, whose path is absolute. Its metadata is in the same folder.
  ///   - request: the options.
  ///   - purpose: the purpose of the plan.
  ///   - settings: the severities and limits of the rules.
  ///   - upload: the conditions of the upload, or `nil` if the clip is not uploaded.
  ///   - sampling: the condition for decoding a sample. Rejected clips are not decoded.
  /// - Throws: any error that `ClipFacts`, `decide` or `DecodingCheck.decodeSample` throws.
  public static func make(
    for clip: OpenedClip, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings(), upload: UploadConditions? = nil, sampling: Sampling = .ofCopies
  ) async throws -> Outcome {
    // Without the clip: the thread can release it after this function has returned, and the file would stay open.
    let facts = try await WorkerThread.run("bsc metadata") { [path = clip.path, probe = clip.probe] _ in
      try ClipFacts(path: path, probe: probe, request: request.metadata, purpose: purpose)
    }
    var outcome = try decide(facts, request: request, purpose: purpose, settings: settings, upload: upload)
    guard let plan = outcome.plan, needsSample(plan, of: clip.probe, sampling) else { return outcome }
    let sample = try await DecodingCheck.decodeSample(of: clip)
    outcome.add(verdict(on: sample, request: request, purpose: purpose, settings: settings))
    return outcome
  }

  private static func needsSample(_ plan: ProcessingPlan, of probe: ClipProbe, _ sampling: Sampling) -> Bool {
    switch sampling {
    case .never: false
    case .always: true
    // If bytes are missing at the end of the file, the rules have already reported this without decoding.
    case .ofCopies: plan.video.encoding == nil && probe.hasDecodableVideo && (probe.missingByteCount ?? 0) == 0
    }
  }

  /// Decides on a plan based only on the clip's properties. The result contains all findings about the clip and its
  /// metadata.
  /// - Parameters:
  ///   - facts: the properties of the clip and its metadata.
  ///   - request: the options.
  ///   - purpose: the purpose of the plan.
  ///   - settings: the severity and limits of each rule. Values have an effect only if they are stricter than the
  ///     defaults.
  ///   - upload: the conditions of the upload, or `nil` if the clip is not uploaded.
  /// - Throws: `ShareEngineError` if the cut starts after the end of the clip.
  public static func decide(
    _ facts: ClipFacts, request: ShareRequest, purpose: Purpose = .highlight, settings: RuleSettings = RuleSettings(),
    upload: UploadConditions? = nil
  ) throws -> Outcome {
    let probe = facts.probe
    let settings = settings.stricter
    let rules = purpose.isHighlight ? ClipRules(settings) : ClipRules(settings).ofAnyLength
    let requested = try request.cut.map { try clampCut($0, of: facts) }
    // If both rules about lengths would report a problem, only `clip.duration` does.
    let hasValidLength = rules.durationFindings(for: probe, cut: requested).isEmpty
    let choice = facts.chooseRally(lengthModes: hasValidLength ? [.source, .clip] : [])
    let cut = requested ?? facts.cut?.range ?? choice.rally?.cut
    let clipFindings = rules.findings(for: probe, cut: cut, salvaging: request.settings.salvages)
    let isRally = facts.cut != nil || choice.rally != nil
    let verdict = rules.plan(
      probe, cut: cut, settings: request.settings, isRally: isRally && requested == nil,
      hidesLead: purpose == .cut(hidesLead: true), fitsLimits: purpose.isCut, findings: clipFindings)
    let findings = choice.findings + clipFindings + checkCaption(request.caption)
    var outcome = Outcome(rally: choice.rally, metadataPath: choice.path, findings: [])
    if case .plan(let plan) = verdict {
      outcome.plan = upload.map { StreamingRule.apply(to: plan, of: probe, $0) } ?? plan
    }
    outcome.add(findings.compactMap(settings.gradedFinding))
    return outcome
  }

  /// Returns the requested part of the clip, limited to the clip's duration.
  private static func clampCut(_ cut: Range<Double>, of facts: ClipFacts) throws -> Range<Double> {
    guard let seconds = facts.probe.shownSeconds else { return cut }
    guard cut.lowerBound < seconds else {
      throw ShareEngineError(.cutAfterEnd, ["file": facts.name, "seconds": "\((seconds * 10).rounded() / 10)"])
    }
    return cut.lowerBound..<min(cut.upperBound, seconds)
  }

  private static func checkCaption(_ caption: String?) -> [Finding] {
    guard let count = HighlightDraft.excessiveLength(ofCaption: caption) else { return [] }
    return [
      Finding(
        rule: "share.caption", severity: .error,
        message: "the caption has \(count) characters; the limit is \(HighlightDraft.maximumCaptionLength)",
        next: "shorten the caption")
    ]
  }

  // MARK: Decoded video and audio

  /// Returns the IDs of the rules that need decoding, as evaluated by `verdict` for the same purpose.
  public static func decodingRules(_ settings: RuleSettings, purpose: Purpose = .highlight) -> [String] {
    DecodingCheck.Result.makeUnknownEvaluation(
      settings: settings.stricter, depth: .frames, checksContent: purpose.isHighlight
    ).checks.map(\.rule)
  }

  /// Returns the findings about decoded video and audio. Call this function after planning and before publishing.
  /// - Parameters:
  ///   - decoding: the decoding result of the transcode, or of a sample if nothing is transcoded.
  ///   - request: the options of the share. If damaged clips are salvaged, the findings are warnings.
  ///   - purpose: the purpose of the plan. For example, black video is allowed in plain files.
  ///   - settings: the severities and limits of the rules.
  public static func verdict(
    on decoding: DecodingCheck.Result, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings()
  ) -> [Finding] {
    let evaluation = decoding.evaluateRules(settings: settings.stricter, checksContent: purpose.isHighlight)
    // Only `validate` reports information.
    var findings = evaluation.findings.filter { $0.severity > .info }
    if request.settings.salvages {
      for index in findings.indices { findings[index].severity = .warning }
    }
    return findings
  }
}
