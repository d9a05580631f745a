public import ClipMedia
public import ClipModel
import Foundation

/// What a decision is made from: the facts of a clip and of its metadata. Reading them is all that needs the disk.
public struct ClipFacts: Sendable {
  /// The clip's file name, for errors.
  public let name: String
  /// The clip's facts.
  public let probe: ClipProbe
  let sidecar: RallySidecar.Answer

  /// Reads the metadata that belongs to a clip; blocks for the time of a small file.
  /// - Parameters:
  ///   - path: absolute, of the clip; its metadata is looked for beside it.
  ///   - probe: the clip's facts.
  ///   - request: which metadata is meant.
  ///   - purpose: a file alone needs no metadata.
  /// - Throws: `DurableFileError` and `ShareEngineError` for metadata that is named and can't be read.
  public init(path: String, probe: ClipProbe, request: MetadataRequest, purpose: SharePlan.Purpose) throws {
    name = (path as NSString).lastPathComponent
    self.probe = probe
    // What cannot be watched needs no metadata that says what it shows.
    sidecar =
      purpose == .file(ofRally: false) || probe.mainVideo == nil
      ? RallySidecar.Answer(findings: [])
      : try RallySidecar.choose(
        request, clipPath: path, seconds: probe.shownSeconds, frameRate: probe.mainVideo?.averageFrameRate?.value)
  }
}

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

  /// All findings at once, of the clip and of the metadata.
  /// - Parameters:
  ///   - facts: what was read.
  ///   - request: what was asked for.
  ///   - purpose: what the plan is for.
  ///   - settings: how somebody wants rules to be graded and bounded: stricter than usual, or as usual.
  /// - Throws: `ShareEngineError` for a cut that starts after the end of the clip.
  public static func decide(
    _ facts: ClipFacts, request: ShareRequest, purpose: Purpose = .highlight, settings: RuleSettings = RuleSettings()
  ) throws -> Outcome {
    let (probe, sidecar) = (facts.probe, facts.sidecar)
    let settings = settings.stricter
    let rules = purpose == .highlight ? ClipRules(settings) : ClipRules(settings).ofAnyLength
    let cut = try request.cut.map { try inside($0, of: facts) } ?? sidecar.rally?.cut
    let verdict = rules.plan(
      probe, cut: cut, settings: request.settings, isRally: sidecar.rally != nil && request.cut == nil)
    var findings = sidecar.findings
    switch verdict {
    case .rejection(let more): findings += more
    case .plan: findings += rules.findings(for: probe, cut: cut, salvaging: request.settings.salvages)
    }
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

  /// Whether a sampled decode is needed before the plan is carried out: copied pictures are decoded by nothing else.
  public static func needsSample(_ plan: ProcessingPlan, of probe: ClipProbe) -> Bool {
    plan.video.encoding == nil && probe.hasDecodablePicture && (probe.missingByteCount ?? 0) == 0
  }

  /// The part that was asked for, as far as the file has it.
  private static func inside(_ cut: Range<Double>, of facts: ClipFacts) throws -> Range<Double> {
    guard let seconds = facts.probe.shownSeconds else { return cut }
    guard cut.lowerBound < seconds else {
      throw ShareEngineError(
        what: "cannot cut \(facts.name)",
        why: "it lasts \((seconds * 10).rounded() / 10) s, and the cut begins behind that",
        next: "name an earlier time with --from",
        category: .usage)
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
