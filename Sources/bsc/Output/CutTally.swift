import ClipModel
import Foundation
import ShareEngine
import Synchronization

/// What became of each rally of a cut: told as it happens, and as a whole at the end. For several threads.
final class CutTally: Sendable {
  private struct State {
    /// By rally.
    var clips: [Int: String] = [:]
    var (madeCount, presentCount, plannedCount) = (0, 0, 0)
    /// Rallies without a clip, with the first reason.
    var lost: [(cut: RallyCut, category: FailureCategory, why: String)] = []
  }

  /// Nothing is made: `--dry-run`.
  let isDry: Bool
  private let match: String
  private let reporting: OutputOptions
  private let progress: FileProgress
  private let state = Mutex(State())

  init(match: String, reporting: OutputOptions, isDry: Bool = false) {
    self.isDry = isDry
    self.match = match
    self.reporting = reporting
    progress = FileProgress(reporting.progressMode, stage: "cutting", whenWritten: "checking")
  }

  /// The clips that are there now, in the order of their rallies.
  var clips: [String] { state.withLock { state in state.clips.keys.sorted().compactMap { state.clips[$0] } } }

  /// One rally alone tells its own reason. Of several, one that could not be cut is a file that failed.
  var exitCode: Int32 {
    state.withLock { state in
      let count = state.lost.count + state.madeCount + state.presentCount + state.plannedCount
      if count == 1, let only = state.lost.first { return ExitStatus.code(for: only.category) }
      return ExitStatus.code(forAll: state.lost.map(\.category))
    }
  }

  func show(_ event: CutEvent) {
    switch event {
    case .began: progress.begin(match)
    case .progressed(let fraction): progress.move(fraction)
    case .planned(let target): planned(target)
    case .made(let target, let made, let isNew): self.made(target, made, isNew: isNew)
    case .refused(let clip): refused(clip)
    case .failed(let target, let explanation): failed(target, explanation)
    case .ended: progress.end()
    }
  }

  /// Shows what is wrong with the metadata or the match, and that no rally is chosen.
  /// - Returns: whether nothing can be cut.
  func isRefused(_ plan: MatchPlan) -> Bool {
    guard !plan.isRefused else {
      if reporting.json { Console.writeJSON(CutDocument(match: match, refused: plan.findings)) }
      Console.writeError(FindingText.rejection(of: match, to: "cut", plan.findings))
      return true
    }
    guard !reporting.quiet else { return false }
    if plan.clips.isEmpty, let path = plan.selectionsPath {
      Console.note("nothing is saved in \((path as NSString).lastPathComponent)")
    }
    let notes = plan.findings.filter { $0.severity == .warning }
    Console.writeError(notes.map(FindingText.line).lines)
    return false
  }

  // MARK: Rallies

  private func planned(_ target: CutRun.Target) {
    tell { state in
      state.plannedCount += 1
      if reporting.json { return Console.writeJSON(CutDocument(match: match, target, .planned)) }
      guard !reporting.quiet else { return }
      var lines: [StyledText] = ["\(whole: shownPath(target.clip), .strong), \(Self.place(target.cut))"]
      lines += target.plan.decisions.map { "  \($0.what)\n      \("because", .faint) \($0.why)" }
      lines += target.findings.map(FindingText.line)
      Console.write(lines.lines)
    }
  }

  private func made(_ target: CutRun.Target, _ made: CutRun.Made, isNew: Bool) {
    tell { state in
      if isNew { state.madeCount += 1 } else { state.presentCount += 1 }
      state.clips[target.cut.index] = target.clip
      if reporting.json {
        return Console.writeJSON(CutDocument(match: match, target, isNew ? .made : .present, made, isDry: isDry))
      }
      guard !reporting.quiet else { return }
      var how = !isNew ? "was there" : target.plan.video.encoding == nil ? "copied" : "encoded"
      if made.updatesMetadata { how += isDry ? ", metadata to be updated" : ", metadata updated" }
      var lines: [StyledText] = [
        "\("✓", .good) \(whole: shownPath(target.clip), .strong), \(Self.place(target.cut)), \(ByteCount.text(made.byteCount)), \(how)"
      ]
      lines += target.findings.map(FindingText.line)
      lines += made.notes.map { "  \("note:", .faint) \($0)" }
      Console.write(lines.lines)
    }
  }

  /// The rules say no.
  private func refused(_ clip: MatchPlan.Clip) {
    tell { state in
      let why = clip.findings.first { $0.severity == .error }?.message ?? "the rules say no"
      state.lost.append((clip.cut, .rejected, why))
      if reporting.json { Console.writeJSON(CutDocument(match: match, cut: clip.cut, refused: clip.findings)) }
      Console.writeError(FindingText.rejection(of: "rally \(clip.cut.index)", to: "cut", clip.findings))
    }
  }

  /// It could not be made.
  private func failed(_ target: CutRun.Target, _ explanation: Explanation) {
    tell { state in
      state.lost.append((target.cut, explanation.category == .usage ? .usage : .unjudged, explanation.why))
      ErrorOutput.write(explanation, subject: "rally \(target.cut.index)", names: true, asJSON: false)
      if reporting.json { Console.writeJSON(CutDocument(match: match, target, failed: explanation)) }
    }
  }

  private func tell(_ body: (inout State) -> Void) {
    progress.interrupting { state.withLock { body(&$0) } }
  }

  // MARK: The end

  /// How many became what, and a table of the rallies without a clip.
  func summarize() {
    guard !reporting.json, !reporting.quiet else { return }
    state.withLock { state in
      let refused = state.lost.count { $0.category == .rejected }
      let parts = [
        (state.plannedCount, "to be cut"), (state.madeCount, "cut"), (state.presentCount, "there before"),
        (refused, "refused"), (state.lost.count - refused, "failed"),
      ]
      let lost = state.lost.sorted { $0.cut.index < $1.cut.index }
      var lines = lost.isEmpty ? [] : ["rally  place in the match   why there is no clip"]
      lines += lost.map { cut, _, why in
        String(repeating: " ", count: max(5 - String(cut.index).count, 0)) + "\(cut.index)  "
          + (cut.segment.map { "\(clock($0.startTime)) to \(clock($0.endTime))" } ?? "").padded(21) + why
      }
      let counts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      guard !counts.isEmpty else { return }
      lines.append(counts.joined(separator: ", "))
      Console.writeError(lines.joined(separator: "\n") + "\n")
    }
  }

  /// `12.3 s from 0:50.4`.
  private static func place(_ cut: RallyCut) -> String {
    guard let range = cut.range else { return "no such rally" }
    return "\(decimal(range.upperBound - range.lowerBound)) s from \(clock(range.lowerBound))"
  }
}
