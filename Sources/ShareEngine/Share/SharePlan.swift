public import ClipMedia
public import ClipModel
import Foundation

/// Decision of a share: the rules for the clip and for its metadata together. Reads the sidecar, changes nothing.
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
  ///   - path: absolute, of the clip; its metadata is looked for beside it.
  ///   - probe: the clip's facts.
  ///   - request: what was asked for.
  ///   - purpose: what the plan is for.
  ///   - settings: how somebody wants rules to be graded and bounded: stricter than usual, or as usual.
  ///   - decoded: what decoding some of it told, where somebody looked.
  public static func make(
    path: String, probe: ClipProbe, request: ShareRequest, purpose: Purpose = .highlight,
    settings: RuleSettings = RuleSettings(), decoded: DecodingCheck.Result? = nil
  ) throws -> Outcome {
    // What cannot be watched needs no metadata that says what it shows.
    let sidecar =
      purpose == .file(ofRally: false) || probe.mainVideo == nil
      ? RallySidecar.Answer(findings: [])
      : try RallySidecar.choose(
        request.metadata, clipPath: path, seconds: probe.shownSeconds,
        frameRate: probe.mainVideo?.averageFrameRate?.value)
    let allowingAnyLength = purpose != .highlight
    let settings = settings.stricter
    let rules = ClipRules(settings)
    let cut = try request.cut.map { try inside($0, of: probe, path: path) } ?? sidecar.rally?.cut
    let verdict = rules.plan(
      probe, cut: cut, settings: request.settings, isRally: sidecar.rally != nil && request.cut == nil,
      allowingAnyLength: allowingAnyLength)
    var findings = sidecar.findings
    switch verdict {
    case .rejection(let more): findings += more
    case .plan:
      findings += rules.findings(for: probe, cut: cut, salvaging: request.settings.salvages)
      // A refusal keeps it: an unknown length is the reason then.
      if allowingAnyLength { findings.removeAll { $0.rule == "clip.duration" } }
    }
    findings += captionFindings(request.caption)
    // Of a clip that is its rally, both rules say the same.
    if findings.contains(where: { $0.rule == "clip.duration" }) {
      findings.removeAll { $0.rule == RallyCheck.length.rawValue }
    }
    if let decoded {
      // How loud it is, is no reason to say anything here; and damage is what somebody salvages from.
      // A file may be black; what others are to watch may not.
      let isAsked = { (rule: String) in purpose == .highlight || ["clip.decodes", "clip.nal-units"].contains(rule) }
      findings += decoded.answer(settings: settings).findings.filter { $0.severity > .info && isAsked($0.rule) }.map {
        var finding = $0
        if request.settings.salvages { finding.severity = .warning }
        return finding
      }
    }
    findings = findings.compactMap(settings.graded)
    let isRefused = findings.contains { $0.severity == .error }
    guard case .plan(let plan) = verdict, !isRefused else {
      return Outcome(rally: sidecar.rally, metadataPath: sidecar.path, findings: findings)
    }
    return Outcome(plan: plan, rally: sidecar.rally, metadataPath: sidecar.path, findings: findings)
  }

  /// The part that was asked for, as far as the file has it.
  private static func inside(_ cut: Range<Double>, of probe: ClipProbe, path: String) throws -> Range<Double> {
    guard let seconds = probe.shownSeconds else { return cut }
    guard cut.lowerBound < seconds else {
      throw ShareEngineError(
        what: "cannot cut \((path as NSString).lastPathComponent)",
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
