import ClipMedia
package import ClipModel
import DurableFiles

/// The plan of a clip, or the findings that reject it. Writes nothing.
package struct PlanPreview: Sendable {
  package var probe: ClipProbe
  package var outcome: SharePlan.Outcome
  /// The rules that need decoding and were not checked; empty for a rejected clip.
  package var unchecked: [String]
  package var request: ShareRequest
  package var purpose: SharePlan.Purpose

  /// - Parameters:
  ///   - file: the path as the user wrote it.
  ///   - request: the options.
  ///   - purpose: the purpose of the plan.
  ///   - rules: the severities and limits of the rules.
  ///   - decodes: also decodes a sample of the clip.
  /// - Throws: the errors of `Prober.probe` and `SharePlan.make`.
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
