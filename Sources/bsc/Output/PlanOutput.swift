import ClipModel
import Foundation
import Reports
import ShareEngine

extension PlanPreview {
  /// Shows the plan; returns why the clip is refused, if it is.
  /// - Parameters:
  ///   - file: as it was named.
  ///   - together: all clips of its highlight, where that has several.
  func show(
    _ file: String, together: [String]? = nil, asJSON: Bool, write: (StyledText) -> Void = Console.write
  ) -> FailureCategory? {
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

/// `share --dry-run` and `share --review`.
struct PreviewOutput {
  var preview: SharePreview
  var output: OutputOptions

  /// All highlights, ending with the exit code of the worst.
  func run() async throws {
    let code = try await InputRunner.run(preview.groups, named: \.[0], asJSON: output.json) { group in
      if group.count > 1, !output.json {
        Console.write(("one highlight of \(group.count) clips: \(group.joined(separator: ", "))\n").printable)
      }
      return try await show(group, asJSON: output.json, write: Console.write)
    }
    try ExitStatusError.end(with: code)
  }

  /// Shows the clips of one highlight; returns why it is refused, if it is.
  private func show(
    _ group: [String], asJSON: Bool, write: (StyledText) -> Void
  ) async throws -> FailureCategory? {
    var failures: [FailureCategory] = []
    try await preview.check(group)
    for file in group {
      do {
        let refusal = try await preview.plan(of: file, in: group).show(
          file, together: group.count > 1 ? group : nil, asJSON: asJSON, write: write)
        if let refusal { failures.append(refusal) }
      } catch let error as any ExplainedError where group.count > 1 {
        ErrorOutput.write(error.explanation, subject: file, names: true, asJSON: asJSON)
        failures.append(error.explanation.category)
      }
    }
    // One highlight has one caption. A clip of it that cannot be used leaves nothing of the highlight.
    if group.count > 1, !failures.isEmpty, failures.allSatisfy({ $0 == .rejected }) {
      throw PostError.refused(count: failures.count, of: group.count)
    }
    if failures.isEmpty {
      do {
        let earlier = try await preview.earlierShare(of: group)
        if let earlier, !output.quiet { Console.note(ShareText.note(on: earlier, group)) }
      } catch let refusal as ShareRefusal {
        throw refusal.failure(ShareText.subject(group))
      }
    }
    return failures.first { $0 != .rejected } ?? failures.first
  }

  /// The files that the user wants to share after a look at each, and why others were refused. Nothing is sent whose plan
  /// was not shown.
  func reviewed(_ files: [String]) async throws -> (files: [String], refused: [FailureCategory]) {
    guard Console.isInputTerminal else {
      throw CommandFailure(.noTerminal, ["option": "--review"])
    }
    var (wanted, refused) = ([String](), [FailureCategory]())
    for file in files {
      do {
        if let refusal = try await show([file], asJSON: false, write: Console.writeError) {
          refused.append(refusal)
          continue
        }
      } catch let error as any ExplainedError {
        ErrorOutput.write(error.explanation, subject: file, asJSON: output.json)
        refused.append(error.explanation.category)
        continue
      }
      Console.writeError("Share this? [y/N] ")
      guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
        Console.writeError("Not shared; nothing was sent.\n")
        continue
      }
      wanted.append(file)
    }
    return (wanted, refused)
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
