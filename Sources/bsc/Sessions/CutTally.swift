import ClipModel
import Foundation
import ShareEngine
import Synchronization

/// What became of each rally of a cut: told as it happens, and as a whole at the end. For several threads.
final class CutTally: Sendable {
  /// A clip that is there.
  struct Made {
    var byteCount: Int64
    var sha256: String
    var removed: [String] = []
    var notes: [String] = []
    /// What became of the metadata beside it, when that was of an older export of the match's.
    var metadataUpdate: CutDocument.Status?
  }

  private struct State {
    /// By rally.
    var clips: [Int: String] = [:]
    var (madeCount, presentCount, plannedCount) = (0, 0, 0)
    /// Rallies without a clip, with the first reason.
    var lost: [(cut: RallyCut, category: FailureCategory, why: String)] = []
    /// Seconds of the clips under way, and how much of each is done.
    var lengths: [Double] = []
    var done: [Double] = []
    var began = ContinuousClock.now
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

  // MARK: Progress

  func begin(_ lengths: [Double]) {
    state.withLock { state in
      (state.lengths, state.done) = (lengths, lengths.map { _ in 0 })
      state.began = .now
    }
    progress.begin(match)
  }

  func move(_ place: Int, _ fraction: Double) {
    let whole = state.withLock { state in
      state.done[place] = fraction
      let done = zip(state.done, state.lengths).reduce(0) { $0 + $1.0 * $1.1 }
      return done / max(state.lengths.reduce(0, +), 0.001)
    }
    progress.move(whole)
  }

  func end() { progress.end() }

  // MARK: Rallies

  func planned(_ target: CutRun.Target) {
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

  func made(_ target: CutRun.Target, _ clip: ProcessedClip) {
    tell { state in
      state.madeCount += 1
      write(
        target, Made(byteCount: clip.byteCount, sha256: clip.sha256, removed: clip.removed, notes: clip.notes),
        isNew: true, &state)
    }
  }

  /// An earlier run made it.
  func present(_ target: CutRun.Target, _ made: Made) {
    tell { state in
      state.presentCount += 1
      write(target, made, isNew: false, &state)
    }
  }

  private func write(_ target: CutRun.Target, _ made: Made, isNew: Bool, _ state: inout State) {
    state.clips[target.cut.index] = target.clip
    if reporting.json {
      return Console.writeJSON(CutDocument(match: match, target, isNew ? .made : .present, made))
    }
    guard !reporting.quiet else { return }
    var how = !isNew ? "was there" : target.plan.video.encoding == nil ? "copied" : "encoded"
    if let update = made.metadataUpdate { how += update == .made ? ", metadata updated" : ", metadata to be updated" }
    var lines: [StyledText] = [
      "\("✓", .good) \(whole: shownPath(target.clip), .strong), \(Self.place(target.cut)), \(ByteCount.text(made.byteCount)), \(how)"
    ]
    lines += target.findings.map(FindingText.line)
    lines += made.notes.map { "  \("note:", .faint) \($0)" }
    Console.write(lines.lines)
  }

  /// The rules say no.
  func refused(_ clip: MatchPlan.Clip) {
    tell { state in
      let why = clip.findings.first { $0.severity == .error }?.message ?? "the rules say no"
      state.lost.append((clip.cut, .rejected, why))
      if reporting.json { Console.writeJSON(CutDocument(match: match, cut: clip.cut, refused: clip.findings)) }
      Console.writeError(FindingText.rejection(of: "rally \(clip.cut.index)", to: "cut", clip.findings))
    }
  }

  /// It could not be made.
  func failed(_ target: CutRun.Target, _ explanation: Explanation) {
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
