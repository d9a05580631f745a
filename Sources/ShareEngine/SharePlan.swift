public import ClipModel

/// Decision of a share: the rules for the clip and for its metadata together. Reads the sidecar, changes nothing.
public enum SharePlan {
  public struct Outcome: Sendable {
    /// `nil` when a finding is an error.
    public var plan: ProcessingPlan?
    public var rally: SharedRally?
    /// Path of the metadata; `nil` when there is none.
    public var metadataPath: String?
    public var findings: [Finding]
  }

  /// All findings at once, of the clip and of the metadata.
  public static func make(path: String, probe: ClipProbe, request: ShareRequest) throws -> Outcome {
    let sidecar = try RallySidecar.choose(request.metadata, clipPath: path, probe: probe)
    let rules = ClipRules()
    let verdict = rules.plan(probe, cut: sidecar.rally?.cut, settings: request.settings)
    var findings = sidecar.findings
    switch verdict {
    case .rejection(let more): findings += more
    case .plan: findings += rules.findings(for: probe, cut: sidecar.rally?.cut)
    }
    findings += captionFindings(request.caption)
    // Of a clip that is its rally, both rules say the same.
    if findings.contains(where: { $0.rule == "clip.duration" }) {
      findings.removeAll { $0.rule == RallyCheck.length.rawValue }
    }
    let isRefused = findings.contains { $0.severity == .error }
    guard case .plan(let plan) = verdict, !isRefused else {
      return Outcome(rally: sidecar.rally, metadataPath: sidecar.path, findings: findings)
    }
    return Outcome(plan: plan, rally: sidecar.rally, metadataPath: sidecar.path, findings: findings)
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
