import ClipModel
import Foundation
import Reports
import ShareEngine

extension PlanPreview {
  /// Prints the plan.
  /// - Parameters:
  ///   - file: the clip's path as the user entered it.
  ///   - together: all clips of the highlight, if it has several.
  ///   - coaches: the names of the coaches to whom the highlight is sent.
  ///   - write: prints the plan as text; `nil` prints it on stdout, unless it is printed as JSON.
  /// - Returns: why the clip is rejected, or `nil`.
  func showPlan(
    _ file: String, together: [String]? = nil, coaches: [String] = [], asJSON: Bool,
    write: ((StyledText) -> Void)? = nil
  ) -> FailureCategory? {
    if asJSON {
      Console.writeJSON(
        PlanDocument(
          input: file, inputs: together, caption: request.caption,
          tags: request.caption.map(CaptionTags.extractHashtags(in:)), coaches: coaches.isEmpty ? nil : coaches,
          plan: outcome.plan, rally: outcome.rally, metadata: outcome.metadataPath, findings: outcome.findings,
          notChecked: unchecked))
    }
    if let plan = outcome.plan {
      let text = PlanText.formatLines(file, self, plan, coaches: coaches).lines
      if let write { write(text) } else if !asJSON { Console.write(text) }
    }
    guard outcome.plan == nil else { return nil }
    let verb = if case .file = purpose { "compress" } else { "share" }
    Console.writeError(FindingText.formatRejection(of: file, to: verb, outcome.findings))
    return .rejected
  }
}

/// The output of `share --dry-run` and `share --review`.
struct PreviewOutput {
  var preview: SharePreview
  /// The names of the coaches to whom the highlights are sent.
  var coaches: [String]
  var output: OutputOptions

  /// Prints the plan for each highlight, and ends with the exit code for the worst failure.
  func run() async throws {
    let write: ((StyledText) -> Void)? = output.json ? nil : { Console.write($0) }
    try await InputRunner.run(preview.groups, named: \.[0], asJSON: output.json) { group in
      try await showGroup(group, write: write)
    }
  }

  /// Prints the plans for the clips of one highlight.
  /// - Parameter write: prints the plans as text, if they are not only printed as JSON.
  /// - Returns: why the highlight is rejected, or `nil`.
  private func showGroup(_ group: [String], write: ((StyledText) -> Void)?) async throws -> FailureCategory? {
    if group.count > 1, let write {
      write(StyledText("one highlight of \(group.count) clips: \(group.joined(separator: ", "))\n".printable))
    }
    var failures: [FailureCategory] = []
    let clips = try await preview.readDistinctClips(group)
    for file in group {
      do {
        let refusal = try await preview.makePlan(for: file, in: group).showPlan(
          file, together: group.count > 1 ? group : nil, coaches: coaches, asJSON: output.json, write: write)
        if let refusal { failures.append(refusal) }
      } catch let error as any ExplainedError where group.count > 1 {
        ErrorOutput.write(error.explanation, subject: file, namesSubject: true, asJSON: output.json)
        failures.append(error.explanation.category)
      }
    }
    // A highlight needs all of its clips.
    if group.count > 1, !failures.isEmpty, failures.allSatisfy({ $0 == .rejected }) {
      throw ShareEngineError(.postRefused, ["refused": "\(failures.count)", "clips": "\(group.count)"])
    }
    guard failures.isEmpty else { return failures.first { $0 != .rejected } ?? failures[0] }
    do {
      if let earlier = try await preview.findEarlierShare(of: group, clips) {
        output.writeNote(ShareText.describeEarlierShare(on: earlier, group))
      }
    } catch let refusal as ShareRefusal {
      throw refusal.makeFailure(ShareText.describeClips(group))
    }
    return nil
  }

  /// Prints the plans for each highlight and asks for confirmation.
  /// - Returns: the clips of the confirmed highlights, and why other highlights were rejected.
  func review() async throws -> (files: [String], refused: [FailureCategory]) {
    guard Console.isInputTerminal else { throw CommandFailure(.noTerminal, ["option": "--review"]) }
    var (confirmed, refused) = ([String](), [FailureCategory]())
    for group in preview.groups {
      do {
        if let refusal = try await showGroup(group, write: Console.writeError) {
          refused.append(refusal)
        } else if Console.confirm("Share this?") {
          confirmed += group
        } else {
          Console.writeError("Not shared.\n")
        }
      } catch let error as any ExplainedError {
        ErrorOutput.write(error.explanation, subject: group[0], asJSON: output.json)
        refused.append(error.explanation.category)
      }
    }
    return (confirmed, refused)
  }
}

struct PlanDocument: Encodable {
  var schema = "bsc.plan/1"
  var input: String
  /// The paths of all clips, in order, if the highlight has several.
  var inputs: [String]?
  /// The caption; like the tags, it is absent if there is none.
  var caption: String?
  var tags: [String]?
  /// The names of the coaches to whom the highlight is sent; absent if there are none.
  var coaches: [String]?
  /// The processing plan; absent if the clip is rejected.
  var plan: ProcessingPlan?
  var rally: SharedRally?
  var metadata: String?
  var findings: [Finding]
  /// The rules that can be checked only by decoding; empty with `--decode`, and for a rejected clip.
  var notChecked: [String]
}

/// Formats plans as text.
enum PlanText {
  static func formatLines(
    _ name: String, _ preview: PlanPreview, _ plan: ProcessingPlan, coaches: [String] = []
  ) -> [StyledText] {
    let outcome = preview.outcome
    var lines: [StyledText] = ["\(whole: name, .strong)"]
    if let path = outcome.metadataPath {
      let rally = outcome.rally.map { "rally \($0.index) of " } ?? ""
      lines.append("  metadata   \(rally)\((path as NSString).lastPathComponent)")
    }
    if let caption = preview.request.caption, !caption.isEmpty {
      lines.append("  caption    \(caption.replacing("\n", with: "\n             "))")
      let tags = CaptionTags.extractHashtags(in: caption)
      if !tags.isEmpty { lines.append("  tags       \(tags.joined(separator: ", "))") }
    }
    if !coaches.isEmpty { lines.append("  send to    \(coaches.map(\.onOneLine).joined(separator: ", "))") }
    lines += (plan.decisions + [plan.upload].compactMap(\.self)).map(formatDecision)
    lines += plan.dropped.map { "  removed: \($0.what)\n      \("because", .faint) \($0.why)" }
    lines += plan.pictures.map { "  \(describePicture($0))" }
    if let bytes = plan.estimatedByteCount {
      // An estimate that equals the source's size is only an upper limit.
      let before = preview.probe.byteCount
      let size = bytes < before ? "about \(ByteCount.text(bytes))" : "at most \(ByteCount.text(bytes))"
      lines.append("  estimate: \(size) (source: \(ByteCount.text(before)))")
    }
    lines += outcome.findings.filter { $0.severity != .error }.map(FindingText.formatLine)
    if !preview.unchecked.isEmpty {
      lines.append("  \("not checked: \(preview.unchecked.joined(separator: ", "))", .faint)")
    }
    return lines
  }

  /// Formats a decision and its reason.
  static func formatDecision(_ decision: ProcessingPlan.Decision) -> StyledText {
    "  \(decision.what)\n      \("because", .faint) \(decision.why)"
  }

  private static func describePicture(_ plan: PicturePlan) -> String {
    switch plan {
    case .poster(let plan) where plan.candidates != nil: "poster: the best frame"
    case .poster(let plan): "poster: the frame at \(decimal(plan.atSeconds)) s"
    case .tiles(let plan): "\(plan.kind.rawValue): \(plan.seconds.count.withNoun("frame")), \(plan.size)"
    case .animation(let plan):
      "animated: \(plan.picksBest ? "the best" : "the first") "
        + "\(decimal(plan.range.upperBound - plan.range.lowerBound)) s, \(plan.size)"
    }
  }
}
