import ClipMedia
public import ClipModel
import DurableFiles
import Foundation
import Privacy

/// Validates a file without changing it. Checks the clip, its container, its private metadata, Mux's standard input
/// requirements, and its rally metadata.
public struct Validator: Sendable {
  /// The rules that apply to the clip.
  public var evaluator: RuleEvaluator
  /// The request that determines how to find the files' metadata.
  public var metadata: MetadataRequest
  /// The depth of the inspection. Headers and sample tables are always read; `.frames` and `.everything` also decode
  /// the clip.
  public var depth: InspectionDepth
  private let sidecarNames = SidecarNames()

  public init(evaluator: RuleEvaluator, metadata: MetadataRequest, depth: InspectionDepth = .samples) {
    self.evaluator = evaluator
    self.metadata = metadata
    self.depth = depth
  }

  /// - Parameters:
  ///   - file: the path to show in the result.
  ///   - path: the absolute path of the file.
  /// - Returns: the result, which contains a `failure` if the file cannot be validated.
  /// - Throws: `CancellationError`.
  public func validateFile(_ file: String, path: String) async throws -> ValidationResult {
    let start = ContinuousClock.now
    var result = ValidationResult(file: file)
    do {
      try await runChecks(on: path, into: &result)
    } catch let error as ClipMediaError where error.explanation.category == .rejected {
      // A truncated file results in a finding instead of a failure, unless the rule is disabled.
      let finding = Finding(
        breaking: "clip.truncated", error.explanation.why, next: "copy the file from the camera again")
      if let graded = evaluator.settings.gradedFinding(finding), graded.severity == .error {
        result.checks = [RuleCheck("clip.truncated", .fail, depth: .headers)]
        result.findings = [graded]
      } else {
        result = ValidationResult(file: file, failure: error.explanation)
        result.failure?.category = .unjudged
      }
    } catch let error as any ExplainedError {
      result.failure = error.explanation
    }
    for (index, finding) in result.findings.enumerated() where finding.next == nil && finding.facts == nil {
      result.findings[index].next = RuleCatalog.rule(finding.rule)?.fix
      result.findings[index].facts = [:]
    }
    result.findings.sort { $0.severity > $1.severity }
    result.seconds = (ContinuousClock.now - start) / .seconds(1)
    return result
  }

  private func runChecks(on path: String, into result: inout ValidationResult) async throws {
    let probe = try await Prober.probeForRules(path: path, depth: depth == .everything ? .everything : .structure)
    let sidecar = try await WorkerThread.run("bsc metadata") { [metadata, sidecarNames] _ in
      try RallySidecar(metadata, clipPath: path, names: sidecarNames)
    }
    let choice = sidecar.chooseRally(
      seconds: probe.shownSeconds, frameRate: probe.mainVideo?.averageFrameRate?.value,
      // A limit for the length of clips also applies to the rallies of a match.
      lengths: ClipRules(evaluator.settings).seconds ?? RallyLimits.seconds,
      // If the entire clip is the rally, both rules about lengths would report the same problem.
      lengthModes: clipRuleReportsLength(of: probe) ? [.source] : [.source, .clip], checksAllRallies: true)
    let evaluation = evaluator.evaluate(
      probe, cut: choice.rally?.cut, isMatch: choice.mode == .source && choice.rally == nil, depth: depth)
    (result.checks, result.findings) = (evaluation.checks, evaluation.findings)
    addMetadataChecks(choice, to: &result)
    if depth > .samples {
      var decoded = DecodingCheck.Result.makeUnknownEvaluation(settings: evaluator.settings, depth: depth)
      if probe.hasDecodableVideo {
        let check =
          try await depth == .everything
          ? DecodingCheck.decodeEverything(path: path) : DecodingCheck.decodeSample(path: path)
        decoded = check.evaluateRules(settings: evaluator.settings)
      }
      result.checks = RuleCatalog.sortedChecks(result.checks + decoded.checks)
      result.findings += decoded.findings
    }
    if probe.mainVideo == nil { explainMissingVideo(in: &result) }
  }

  private func explainMissingVideo(in result: inout ValidationResult) {
    for (index, check) in result.checks.enumerated() where check.outcome == .unknown && check.reason == nil {
      if check.rule.hasPrefix("clip.") || check.rule.hasPrefix("mux.") {
        result.checks[index].reason = "there is no video track"
      }
    }
  }

  // MARK: Metadata

  /// Whether `clip.duration` limits the length of a clip that is a rally, so that `rally.length` doesn't.
  private func clipRuleReportsLength(of probe: ClipProbe) -> Bool {
    let settings = evaluator.settings
    guard !settings.isOff("clip.duration") else { return false }
    let limits = settings.rules["clip.duration"]
    return limits?.minimum != nil || limits?.maximum != nil
      || !ClipRules(settings).durationFindings(for: probe, cut: nil).isEmpty
  }

  private func addMetadataChecks(_ choice: RallySidecar.ChoiceResult, to result: inout ValidationResult) {
    var settings = evaluator.settings
    // A custom severity for the length of clips also applies to the rallies of a match.
    if settings.rules["rally.length"]?.grade == nil, let grade = settings.rules["clip.duration"]?.grade {
      settings.rules["rally.length", default: RuleSetting()].grade = grade
    }
    let findings = choice.findings + choice.others
    let broken = Set(findings.filter { $0.severity > .info }.map(\.rule))
    if choice.path == nil {
      if !metadata.isOptional, !settings.isOff("rally.metadata") {
        result.checks.append(RuleCheck("rally.metadata", .fail, depth: .headers))
      }
    } else {
      for id in RuleCatalog.rules.map(\.id) where id.hasPrefix("rally.") && !settings.isOff(id) {
        let reason = broken.contains(id) ? nil : explainSkippedRule(id, choice, broken: broken)
        let outcome: RuleOutcome = broken.contains(id) ? .fail : reason == nil ? .pass : .unknown
        result.checks.append(RuleCheck(id, outcome, depth: .headers, reason: reason))
      }
    }
    result.findings += findings.compactMap(settings.gradedFinding)
  }

  /// Returns the reason that a metadata rule was not checked, or `nil` if it was checked.
  private func explainSkippedRule(_ rule: String, _ choice: RallySidecar.ChoiceResult, broken: Set<String>) -> String? {
    guard let check = RallyCheck(rawValue: rule) else { return nil }
    if [RallyCheck.json, .segments, .empty, .value].contains(where: { broken.contains($0.rawValue) }) {
      return "the rallies in the metadata cannot be read"
    }
    guard [.index, .length, .clipLength, .range].contains(check) else { return nil }
    if choice.isOfAllRallies, check == .index || check == .clipLength {
      return "the file is a full match, so all of its rallies are checked"
    }
    return check == .index && choice.isChosen ? nil : choice.skippedReason
  }
}
