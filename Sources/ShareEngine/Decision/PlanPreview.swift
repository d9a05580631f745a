import ClipMedia
package import ClipModel
import DurableFiles

/// A preview of a clip's plan, or the findings for which the clip is rejected. Creating a preview writes no files.
package struct PlanPreview: Sendable {
  package var probe: ClipProbe
  package var outcome: SharePlan.Outcome
  /// The rules that were not checked because they need decoding. Empty if the clip is rejected.
  package var unchecked: [String]
  package var request: ShareRequest
  package var purpose: SharePlan.Purpose

  /// - Parameters:
  ///   - file: the clip's path as the user entered it.
  ///   - request: the options of the share.
  ///   - purpose: the purpose of the plan.
  ///   - rules: the severity and limits of each rule.
  ///   - upload: the conditions of the upload, or `nil` if the clip is not uploaded.
  ///   - decodes: whether to also decode a sample of the clip.
  /// - Throws: any error that `OpenedClip.init` or `SharePlan.make` throws.
  package static func make(
    _ file: String, request: ShareRequest, purpose: SharePlan.Purpose = .highlight, rules: RuleSettings,
    upload: UploadConditions? = nil, decodes: Bool = false
  ) async throws -> PlanPreview {
    let clip = try await OpenedClip(path: absolutePath(file))
    let outcome = try await SharePlan.make(
      for: clip, request: request, purpose: purpose, settings: rules, upload: upload,
      sampling: decodes ? .always : .never)
    let unchecked = decodes || outcome.plan == nil ? [] : SharePlan.decodingRules(rules, purpose: purpose)
    return PlanPreview(probe: clip.probe, outcome: outcome, unchecked: unchecked, request: request, purpose: purpose)
  }
}
