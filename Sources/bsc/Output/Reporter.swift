import ClipModel
import Foundation
import Reports
import ShareEngine
import Synchronization

/// Tells the way of jobs on stderr: each arrow that is done, and on a board what is under way; or JSON events.
final class Reporter: Sendable {
  private let board: ProgressBoard<UUID>
  /// Several clips are worked on at once: each line names its clip.
  private let isMany: Bool
  private let output: OutputOptions
  private let counts = Mutex(Counts())

  private struct Counts {
    var (shared, refused, failed) = (0, 0, 0)
  }

  /// - Parameter isMany: more than one job will come.
  init(_ output: OutputOptions, isMany: Bool = false) {
    self.isMany = isMany
    self.output = output
    board = ProgressBoard(output.progressMode, namesWork: isMany)
  }

  func take(_ event: ShareEvent) {
    switch board.mode {
    case .none: break
    case .json: Console.writeErrorJSON(EventDocument(event))
    case .moving, .plain: show(event)
    }
  }

  /// For work that has no job.
  func begin(_ name: String, as id: UUID) { board.begin(id, name) }

  /// The job is no longer worked on, however it ended.
  func end(_ id: UUID) { board.end(id) }

  /// What became of several, once all are done.
  func summarize() {
    guard isMany else { return }
    let counts = counts.withLock(\.self)
    let parts: [(count: Int, text: String, tone: StyledText.Tone)] = [
      (counts.shared, "shared", .good), (counts.refused, "refused", .bad), (counts.failed, "failed", .bad),
    ]
    let told = parts.filter { $0.count > 0 }.map { StyledText("\($0.count) \($0.text)", $0.tone) }
    if !told.isEmpty { board.print(told.joined(separator: ", ")) }
  }

  /// Takes the moving lines away while somebody else writes to the terminal.
  func interrupting(_ write: () -> Void) { board.interrupting(write) }

  /// Shows progress, results and failures between the moving lines.
  func show(_ activity: ShareActivity) {
    switch activity {
    case .job(let event): take(event)
    case .closed(let id): end(id)
    case .note(let text): note(text)
    case .sharedBefore(let files): note(ShareText.sharedBefore(files))
    case .repeated(let file, let first): note("\(file) is the same clip as \(first); shared once")
    case .paced(let allowance, let count): note(ShareText.pace(allowance, count: count))
    case .existing(let files, let highlight, let links):
      let document = ShareDocument(files, existing: highlight, links)
      interrupting {
        if output.json { Console.writeJSON(document) } else { Console.write(document.text(isReachable: true)) }
      }
    case .result(let result): interrupting { ShareText.write(result, asJSON: output.json) }
    case .finished(let refusal):
      counts.withLock { if refusal == nil { $0.shared += 1 } else { $0.refused += 1 } }
    case .refused(let refusal, let clips, let subject):
      failed(refusal.failure(ShareText.subject(clips)).explanation, subject)
    case .failed(let error, let subject): failed(error.explanation, subject)
    case .waiting(let seconds):
      if !output.quiet { Console.writeError("Waiting for the network; trying again in \(seconds) s.\n") }
    }
  }

  private func failed(_ explanation: Explanation, _ subject: String) {
    counts.withLock { $0.failed += 1 }
    interrupting {
      ErrorOutput.write(
        explanation, subject: subject.isEmpty ? nil : subject, names: isMany, asJSON: output.json)
    }
  }

  private func note(_ text: String) {
    if !output.quiet { interrupting { Console.note(text) } }
  }

  private func show(_ event: ShareEvent) {
    switch event {
    case .opened(let job, let isContinued):
      board.begin(job.id, job.source.name)
      if isContinued, job.stage != .queued {
        let id = job.id.uuidString.lowercased().prefix(8)
        print("\(job.source.name): going on after \"\(job.stage.name)\" (job \(id))")
      }
    case .began(let id, let arrow): board.turn(id, to: arrow.rawValue)
    case .progressed(let id, let arrow, let fraction, let detail):
      // Behind the last picture there is more to do.
      let isChecked = arrow == .process && (fraction ?? 0) >= 1
      board.move(id, fraction, isChecked ? .text("checking") : detail, stage: arrow.rawValue)
    case .ended(let job, let arrow):
      // An opened upload is half an arrow; people hear of it when the bytes are there.
      if case .uploading = job.stage { return }
      let text = JobText.done(arrow, job: job, time: board.turn(job.id, to: nil))
      print(isMany ? "\(whole: job.source.name, .strong): \(text)" : "  \(text)", indent: isMany ? 4 : 12)
    case .noted(let id, let text): print("note:", .faint, text, about: id)
    case .warned(let id, let text): print("warning:", .doubtful, text, about: id)
    }
  }

  private func print(_ label: String, _ tone: StyledText.Tone, _ text: String, about id: UUID) {
    let name: StyledText = isMany ? board.name(of: id).map { "\($0, .strong): " } ?? "  " : "  "
    print(name + StyledText(label, tone) + " \(text)")
  }

  private func print(_ line: StyledText, indent: Int = 4) { board.print(line.onOneLine, indent: indent) }
}
