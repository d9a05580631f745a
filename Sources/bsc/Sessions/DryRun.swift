import ClipMedia
import ClipModel
import Foundation
import ShareEngine

/// What would be done with a clip, and why: `plan`, `share --dry-run` and `share --review`.
struct DryRun {
  var purpose = SharePlan.Purpose.highlight
  /// As for the command that would follow.
  var rules = RuleSettings()
  /// Some of each clip is decoded, for the rules that only decoding can answer.
  var decodes = false

  /// All of them, ending with the exit code of the worst.
  func run(_ files: [String], lost: [any ExplainedError] = [], request: ShareRequest, asJSON: Bool) async throws {
    let code = try await InputRunner.run(files, lost: lost, named: \.self, asJSON: asJSON) { file in
      try await show(file, request: request, asJSON: asJSON, write: Console.write)
    }
    try ExitStatusError.end(with: code)
  }

  /// Shows one plan; returns why the clip is refused, if it is.
  /// - Parameter together: all clips of its highlight, where that has several.
  func show(
    _ file: String, request: ShareRequest, asJSON: Bool, together: [String]? = nil, write: (StyledText) -> Void
  ) async throws -> FailureCategory? {
    let path = absolutePath(file)
    let probe = try await Prober.probe(path: path)
    let outcome = try await SharePlan.make(
      path: path, probe: probe, request: request, purpose: purpose, settings: rules,
      sampling: decodes ? .always : .never)
    let unchecked = decodes || outcome.plan == nil ? [] : SharePlan.decodingRules(rules, purpose: purpose)
    if asJSON {
      Console.writeJSON(
        PlanDocument(
          input: file, inputs: together, caption: request.caption,
          tags: request.caption.map(CaptionTags.tags(in:)), plan: outcome.plan, rally: outcome.rally,
          metadata: outcome.metadataPath, findings: outcome.findings, notChecked: unchecked))
    } else if let plan = outcome.plan {
      let lines = PlanText.lines(
        file, caption: request.caption, probe: probe, plan: plan, outcome: outcome, unchecked: unchecked)
      write(lines.lines)
    }
    guard outcome.plan == nil else { return nil }
    let verb = if case .file = purpose { "compress" } else { "share" }
    Console.writeError(FindingText.rejection(of: file, to: verb, outcome.findings))
    return .rejected
  }
}

struct PlanDocument: Encodable {
  var schema = "bsc.plan/1"
  var input: String
  /// Of a clip that becomes one highlight with others: all of them, in order.
  var inputs: [String]?
  /// What people would read under it, and its hashtags; both absent without a caption.
  var caption: String?
  var tags: [String]?
  /// Absent when the clip is refused.
  var plan: ProcessingPlan?
  var rally: SharedRally?
  var metadata: String?
  var findings: [Finding]
  /// Rules that only decoding can answer; empty with `--decode` and for a refused clip.
  var notChecked: [String]
}

/// A plan for people.
enum PlanText {
  static func lines(
    _ name: String, caption: String?, probe: ClipProbe, plan: ProcessingPlan, outcome: SharePlan.Outcome,
    unchecked: [String]
  ) -> [StyledText] {
    var lines: [StyledText] = ["\(whole: name, .strong)"]
    if let path = outcome.metadataPath {
      let rally = outcome.rally.map { "rally \($0.index) of " } ?? ""
      lines.append("  metadata   \(rally)\((path as NSString).lastPathComponent)")
    }
    if let caption, !caption.isEmpty {
      lines.append("  caption    \(caption.replacing("\n", with: "\n             "))")
      let tags = CaptionTags.tags(in: caption)
      if !tags.isEmpty { lines.append("  tags       \(tags.joined(separator: ", "))") }
    }
    lines += plan.decisions.map { "  \($0.what)\n      \("because", .faint) \($0.why)" }
    lines += plan.dropped.map { "  removed: \($0.what)\n      \("because", .faint) \($0.why)" }
    lines += plan.pictures.map { "  \(picture($0))" }
    if let bytes = plan.estimatedByteCount {
      // The source's own size is the cap of what is encoded, and no guess.
      let size = bytes < probe.byteCount ? "about \(ByteCount.text(bytes))" : "at most \(ByteCount.text(bytes))"
      lines.append("  estimate: \(ByteCount.text(probe.byteCount)) become \(size)")
    }
    lines += outcome.findings.filter { $0.severity != .error }.map(FindingText.line)
    if !unchecked.isEmpty {
      lines.append("  \("not checked: \(unchecked.joined(separator: ", "))", .faint)")
    }
    return lines
  }

  private static func picture(_ plan: PicturePlan) -> String {
    switch plan {
    case .poster(let plan) where plan.candidates != nil: "poster: the best frame"
    case .poster(let plan): "poster: the frame at \(decimal(plan.atSeconds)) s"
    case .tiles(let plan): "\(plan.kind.rawValue): \(plan.seconds.count.counting("frame")), \(plan.size)"
    case .animation(let plan):
      "animated: \(plan.picksBest ? "the best" : "the first") "
        + "\(decimal(plan.range.upperBound - plan.range.lowerBound)) s, \(plan.size)"
    }
  }
}
