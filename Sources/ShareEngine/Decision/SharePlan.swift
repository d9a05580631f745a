public import ClipMedia
public import ClipModel
import DurableFiles

/// The one decision about a clip: `share`, its previews, `plan`, `compress` and posts make it here. Pure: the same facts
/// give the same plan everywhere.
public enum SharePlan {
  /// The plan, or why there is none.
  public struct Outcome: Sendable {
    /// `nil` when a finding is an error.
    public var plan: ProcessingPlan?
    /// The rally that is shared; `nil` without metadata.
    public var rally: SharedRally?
    /// Path of the metadata; `nil` when there is none.
    public var metadataPath: String?
    /// Of the clip and its metadata, graded.
    public var findings: [Finding]

    /// Adds a later verdict: an error takes the plan back.
    public mutating func add(_ more: [Finding]) {
      findings += more
      if more.contains(where: { $0.severity == .error }) { plan = nil }
    }
  }

  /// What the plan is for.
  public enum Purpose: Sendable, Equatable {
    /// A rally that others can watch: with metadata, and as long as rallies are.
    case highlight
    /// A file, of any length; metadata only tells where in the source it lies, if it is asked.
    case file(ofRally: Bool)
  }

  /// When a sample of a clip is decoded for the second verdict.
  public enum Sampling: Sendable {
    /// No sample; the decoded checks are listed as not checked.
    case never
    /// Only when the plan copies the video, which nothing else decodes.
    case ofCopies
    /// A sample of every clip.
    case always
  }

  /// Reads the metadata of a clip, decides, and adds the verdict on a decoded sample.
  /// - Parameters:
  ///   - path: absolute, of the clip; its metadata is looked for beside it.
  ///   - probe: the clip's facts.
  ///   - request: what was asked for.
  ///   - purpose: what the plan is for.
  ///   - settings: as for `decide`.
  ///   - sampling: when a sample is decoded; a clip that is refused before is never decoded.
  /// - Throws: as `ClipFacts`, `decide` and `DecodingCheck.sample`.
  public static func make(
    path: String, probe: ClipProbe, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings(), sampling: Sampling = .ofCopies
  ) async throws -> Outcome {
    let facts = try await WorkerThread.run("bsc metadata") { _ in
      try ClipFacts(path: path, probe: probe, request: request.metadata, purpose: purpose)
    }
    var outcome = try decide(facts, request: request, purpose: purpose, settings: settings)
    guard let plan = outcome.plan, needsSample(plan, of: probe, sampling) else { return outcome }
    outcome.add(
      verdict(
        on: try await DecodingCheck.sample(path: path), request: request, purpose: purpose, settings: settings))
    return outcome
  }

  private static func needsSample(_ plan: ProcessingPlan, of probe: ClipProbe, _ sampling: Sampling) -> Bool {
    switch sampling {
    case .never: false
    case .always: true
    // What is missing at the end of a file was found without decoding.
    case .ofCopies: plan.video.encoding == nil && probe.hasDecodablePicture && (probe.missingByteCount ?? 0) == 0
    }
  }

  /// The decision alone: all findings at once, of the clip and of the metadata.
  /// - Parameters:
  ///   - facts: what was read.
  ///   - request: what was asked for.
  ///   - purpose: what the plan is for.
  ///   - settings: how somebody wants rules to be graded and bounded: stricter than usual, or as usual.
  ///   - hidesLead: as for `ClipRules.plan`.
  /// - Throws: `ShareEngineError` for a cut that starts after the end of the clip.
  public static func decide(
    _ facts: ClipFacts, request: ShareRequest, purpose: Purpose = .highlight, settings: RuleSettings = RuleSettings(),
    hidesLead: Bool = false
  ) throws -> Outcome {
    let (probe, sidecar) = (facts.probe, facts.sidecar)
    let settings = settings.stricter
    let rules = purpose == .highlight ? ClipRules(settings) : ClipRules(settings).ofAnyLength
    let cut = try request.cut.map { try inside($0, of: facts) } ?? facts.rallyRange
    let ofRules = rules.findings(for: probe, cut: cut, salvaging: request.settings.salvages)
    let verdict = rules.plan(
      probe, cut: cut, settings: request.settings, isRally: facts.isRally && request.cut == nil, hidesLead: hidesLead,
      findings: ofRules)
    var findings = sidecar.findings + ofRules
    findings += captionFindings(request.caption)
    // Of a clip that is its rally, both rules say the same.
    if findings.contains(where: { $0.rule == "clip.duration" }) {
      findings.removeAll { $0.rule == RallyCheck.length.rawValue }
    }
    findings = findings.compactMap(settings.graded)
    var outcome = Outcome(rally: sidecar.rally, metadataPath: sidecar.path, findings: [])
    if case .plan(let plan) = verdict { outcome.plan = plan }
    outcome.add(findings)
    return outcome
  }

  // MARK: What decoding shows

  /// The rules that only decoding can answer, for the same purpose as `verdict`.
  public static func decodingRules(_ settings: RuleSettings, purpose: Purpose = .highlight) -> [String] {
    DecodingCheck.Result.unanswered(settings: settings.stricter, depth: .frames).checks.map(\.rule)
      .filter { purpose == .highlight || ofFiles.contains($0) }
  }

  /// What a file is refused for; a highlight is refused for more.
  private static let ofFiles: Set = ["clip.decodes", "clip.nal-units"]

  /// The second verdict, after the plan and before anything is published: findings about what decoding showed.
  /// - Parameters:
  ///   - decoding: of a transcode, or of a sampled check where nothing is transcoded.
  ///   - request: what was asked for; damage is no error for somebody who salvages.
  ///   - purpose: a file may be black; what others are to watch may not.
  ///   - settings: as for `decide`.
  public static func verdict(
    on decoding: DecodingCheck.Result, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings()
  ) -> [Finding] {
    decoding.answer(settings: settings.stricter).findings
      .filter { $0.severity > .info && (purpose == .highlight || ofFiles.contains($0.rule)) }
      .map {
        var finding = $0
        if request.settings.salvages { finding.severity = .warning }
        return finding
      }
  }

  /// The part that was asked for, as far as the file has it.
  private static func inside(_ cut: Range<Double>, of facts: ClipFacts) throws -> Range<Double> {
    guard let seconds = facts.probe.shownSeconds else { return cut }
    guard cut.lowerBound < seconds else {
      throw ShareEngineError(.cutAfterEnd, ["file": facts.name, "seconds": "\((seconds * 10).rounded() / 10)"])
    }
    return cut.lowerBound..<min(cut.upperBound, seconds)
  }

  private static func captionFindings(_ caption: String?) -> [Finding] {
    let limit = HighlightDraft.longestCaption
    guard let caption, caption.count > limit else { return [] }
    return [
      Finding(
        rule: "share.caption", severity: .error,
        message: "the caption has \(caption.count) characters; \(limit) are allowed", next: "shorten it")
    ]
  }
}
