import ClipModel
import Foundation
import ShareEngine
import Synchronization

/// Prints a cut's events and collects its results. Safe to use from several threads.
final class CutOutput: Sendable {
  private struct State {
    /// The paths of the clips that now exist, by rally number.
    var clips: [Int: String] = [:]
    var counts: [CutDocument.Status: Int] = [:]
    /// The rallies that have no clip, with the reasons.
    var lost: [(cut: RallyCut, category: FailureCategory, why: String)] = []
  }

  private let match: String
  private let isDry: Bool
  private let reporting: OutputOptions
  private let progress: FileProgress
  private let state = Mutex(State())

  init(match: String, reporting: OutputOptions, isDry: Bool = false) {
    self.match = match
    self.isDry = isDry
    self.reporting = reporting
    progress = FileProgress(reporting.progressMode, stage: "cutting", finalStep: "checking")
  }

  /// The paths of the clips that now exist, in rally order.
  var clips: [String] { state.withLock { state in state.clips.keys.sorted().compactMap { state.clips[$0] } } }

  /// The outcome of the cut, in which a rally that couldn't be cut counts as a failed file.
  var outcome: RunOutcome {
    state.withLock { RunOutcome(count: $0.counts.values.reduce(0, +), failures: $0.lost.map(\.category)) }
  }

  /// Prints why the match or its metadata was rejected, or that no rally is selected.
  /// - Returns: whether the cut is rejected.
  func reportRejection(of plan: MatchPlan) -> Bool {
    guard !plan.isRefused else {
      if reporting.json { Console.writeJSON(CutDocument(status: .refused, match: match, findings: plan.findings)) }
      Console.writeError(FindingText.formatRejection(of: match, to: "cut", plan.findings))
      return true
    }
    guard !reporting.quiet else { return false }
    if plan.clips.isEmpty, let path = plan.selectionsPath {
      Console.writeNote("no rally is saved in \((path as NSString).lastPathComponent)")
    }
    Console.writeError(plan.findings.filter { $0.severity == .warning }.map(FindingText.formatLine).lines)
    return false
  }

  func showEvent(_ event: CutEvent) {
    switch event {
    case .began: progress.begin(match)
    case .continued(let target, let stored):
      progress.showContinuation(of: displayPath(target.clip), stored)
    case .progressed(let fraction): progress.update(fraction)
    case .ended: progress.end()
    case .planned(let target):
      var lines: [StyledText] = ["\(whole: displayPath(target.clip), .strong), \(Self.describePosition(target.cut))"]
      lines += target.plan.decisions.map(PlanText.formatDecision)
      lines += target.findings.map(FindingText.formatLine)
      recordResult(target.cut, CutDocument(.planned, match: match, target), lines)
    case .made(let target, let made, let isNew):
      var document = CutDocument(isNew ? .made : .present, match: match, target)
      (document.byteCount, document.sha256) = (made.byteCount, made.sha256)
      if isNew { document.removed = made.removed }
      var notes = made.notes
      if made.keepsOutdatedMetadata {
        let name = (target.sidecar as NSString).lastPathComponent
        notes.append("\(name) is outdated but was kept because it was edited (use --force to create both files again)")
      }
      if isNew || !notes.isEmpty { document.notes = notes }
      if made.updatesMetadata { document.metadataUpdate = isDry ? .planned : .made }
      var how = !isNew ? "already cut" : target.plan.video.encoding == nil ? "copied" : "encoded"
      if made.updatesMetadata { how += isDry ? ", metadata to be updated" : ", metadata updated" }
      var lines: [StyledText] = [
        "\("✓", .good) \(whole: displayPath(target.clip), .strong), \(Self.describePosition(target.cut)), \(ByteCount.text(made.byteCount)), \(how)"
      ]
      lines += target.findings.map(FindingText.formatLine)
      lines += notes.map { "  \("note:", .faint) \($0)" }
      recordResult(target.cut, document, lines, clip: target.clip)
    case .refused(let clip):
      var document = CutDocument(status: .refused, match: match, findings: clip.findings)
      (document.rally, document.start, document.end) = (
        clip.cut.index, clip.cut.segment?.startTime, clip.cut.segment?.endTime
      )
      let why = clip.findings.first { $0.severity == .error }?.message ?? "a rule rejected the rally"
      recordResult(clip.cut, document, [], lost: (.rejected, why)) {
        Console.writeError(FindingText.formatRejection(of: "rally \(clip.cut.index)", to: "cut", clip.findings))
      }
    case .failed(let target, let explanation):
      var document = CutDocument(.failed, match: match, target)
      document.error = explanation
      let category: FailureCategory = explanation.category == .usage ? .usage : .unjudged
      recordResult(target.cut, document, [], lost: (category, explanation.why)) {
        ErrorOutput.write(
          explanation, subject: "rally \(target.cut.index)", namesSubject: explanation.facts["rally"] == nil,
          asJSON: false)
      }
    }
  }

  private func recordResult(
    _ cut: RallyCut, _ document: CutDocument, _ lines: [StyledText], clip: String? = nil,
    lost reason: (category: FailureCategory, why: String)? = nil, writeError: () -> Void = {}
  ) {
    progress.withProgressHidden {
      state.withLock { state in
        state.counts[document.status, default: 0] += 1
        state.clips[cut.index] = clip
        if let reason { state.lost.append((cut, reason.category, reason.why)) }
        writeError()
        if reporting.json || !lines.isEmpty { reporting.write(document, text: lines.lines) }
      }
    }
  }

  /// Prints the totals, and a table of the rallies without a clip.
  func summarize() {
    let (counts, lost) = state.withLock { ($0.counts, $0.lost.sorted { $0.cut.index < $1.cut.index }) }
    guard !counts.isEmpty else { return }
    var lines = lost.isEmpty ? [] : ["rally  time in the match    reason"]
    lines += lost.map { cut, _, why in
      String(repeating: " ", count: max(5 - String(cut.index).count, 0)) + "\(cut.index)  "
        + (cut.segment.map { "\(clock($0.startTime)) to \(clock($0.endTime))" } ?? "").padded(21) + why
    }
    let words: [(CutDocument.Status, String)] = [
      (.planned, "to be cut"), (.made, "cut"), (.present, "already cut"), (.refused, "rejected"), (.failed, "failed"),
    ]
    lines.append(words.compactMap { status, word in counts[status].map { "\($0) \(word)" } }.joined(separator: ", "))
    reporting.writeRemark(lines.joined(separator: "\n"))
  }

  /// Describes a rally's position in the match, for example `12.3 s from 0:50.4`.
  private static func describePosition(_ cut: RallyCut) -> String {
    guard let range = cut.range else { return "no such rally" }
    return "\(decimal(range.upperBound - range.lowerBound)) s from \(clock(range.lowerBound))"
  }
}
