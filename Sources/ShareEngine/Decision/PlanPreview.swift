import ClipMedia
package import ClipModel
import DurableFiles

/// The plan of a clip, or why there is none. Writes nothing.
package struct PlanPreview: Sendable {
  package var probe: ClipProbe
  package var outcome: SharePlan.Outcome
  /// Rules that only decoding can answer; empty for a refused clip.
  package var unchecked: [String]
  package var request: ShareRequest
  package var purpose: SharePlan.Purpose

  /// - Parameters:
  ///   - file: as it was named.
  ///   - request: what is asked for.
  ///   - purpose: what the plan is for.
  ///   - rules: as for the command that would follow.
  ///   - decodes: some frames are decoded, too.
  /// - Throws: as `Prober.probe` and `SharePlan.make`.
  package static func make(
    _ file: String, request: ShareRequest, purpose: SharePlan.Purpose = .highlight, rules: RuleSettings,
    decodes: Bool = false
  ) async throws -> PlanPreview {
    let path = absolutePath(file)
    let probe = try await Prober.probe(path: path)
    let outcome = try await SharePlan.make(
      path: path, probe: probe, request: request, purpose: purpose, settings: rules,
      sampling: decodes ? .always : .never)
    let unchecked = decodes || outcome.plan == nil ? [] : SharePlan.decodingRules(rules, purpose: purpose)
    return PlanPreview(probe: probe, outcome: outcome, unchecked: unchecked, request: request, purpose: purpose)
  }
}
