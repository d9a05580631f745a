import ClipModel
import Foundation
import Reports
import ShareEngine
import Synchronization

/// Prints the progress and the results of shares: either each finished step on a separate line and the running steps on
/// a progress board, or JSON events.
final class Reporter: Sendable {
  private let board: ProgressBoard<UUID>
  /// Whether several clips are shared, so that each line starts with its clip's name.
  private let isMany: Bool
  private let output: OutputOptions
  private let counts = Mutex(ResultCounts())

  private struct ResultCounts {
    var (shared, refused, failed) = (0, 0, 0)
  }

  init(_ output: OutputOptions, isMany: Bool = false) {
    self.isMany = isMany
    self.output = output
    board = ProgressBoard(output.progressMode, namesTasks: isMany)
  }

  func showEvent(_ event: ShareEvent) {
    switch board.mode {
    case .none: break
    case .json: Console.writeErrorJSON(EventDocument(event))
    case .moving, .plain: print(event)
    }
  }

  /// Starts showing the progress of work that has no job.
  func begin(_ name: String, as id: UUID) { board.begin(id, name) }

  /// Removes the job from the progress board. Must be called when the job's work has ended, for any reason.
  func end(_ id: UUID) { board.end(id) }

  /// Prints the totals if several clips are shared.
  func summarize() {
    guard isMany else { return }
    let counts = counts.withLock(\.self)
    let parts: [(count: Int, text: String, tone: StyledText.Tone)] = [
      (counts.shared, "shared", .good), (counts.refused, "rejected", .bad), (counts.failed, "failed", .bad),
    ]
    let texts = parts.filter { $0.count > 0 }.map { StyledText("\($0.count) \($0.text)", $0.tone) }
    if !texts.isEmpty { board.print(texts.joined(separator: ", ")) }
  }

  /// Hides the progress lines while `write` writes to the terminal.
  func withProgressHidden(_ write: () -> Void) { board.withProgressHidden(write) }

  /// Prints an activity: progress, a result or a failure.
  func showActivity(_ activity: ShareActivity) {
    switch activity {
    case .job(let event): showEvent(event)
    case .closed(let id): end(id)
    case .note(let text): showNote(text)
    case .alreadyShared(let files): showNote(ShareText.describeAlreadyShared(files))
    case .duplicate(let file, let first): showNote("\(file) is the same clip as \(first) and is shared only once")
    case .rateLimited(let allowance, let count): showNote(ShareText.describePace(allowance, count: count))
    case .existing(let files, let highlight, let links):
      let document = ShareDocument(files, existing: highlight, links)
      withProgressHidden {
        if output.json { Console.writeJSON(document) } else { Console.write(document.formatText(isReachable: true)) }
      }
    case .result(let result): withProgressHidden { ShareText.writeResult(result, asJSON: output.json) }
    case .finished(let refusal):
      counts.withLock { if refusal == nil { $0.shared += 1 } else { $0.refused += 1 } }
    case .refused(let refusal, let clips, let subject):
      reportFailure(refusal.makeFailure(ShareText.describeClips(clips)).explanation, subject)
    case .failed(let error, let subject): reportFailure(error.explanation, subject)
    case .waitingForNetwork(let seconds): showNote("waiting for the network; retrying in \(seconds) s")
    }
  }

  private func reportFailure(_ explanation: Explanation, _ subject: String) {
    counts.withLock { $0.failed += 1 }
    withProgressHidden {
      ErrorOutput.write(
        explanation, subject: subject.isEmpty ? nil : subject, namesSubject: isMany, asJSON: output.json)
    }
  }

  private func showNote(_ text: String) { withProgressHidden { output.writeNote(text) } }

  private func print(_ event: ShareEvent) {
    switch event {
    case .opened(let job, let isContinued):
      board.begin(job.id, job.source.name)
      if isContinued, job.stage != .queued {
        let id = job.id.uuidString.lowercased().prefix(8)
        print("\(job.source.name): resuming after step \"\(job.stage.name)\" (job \(id))")
      }
    case .began(let id, let step): board.restart(id, stage: step.rawValue)
    case .progressed(let id, let step, let fraction, let detail):
      // After the last frame has been processed, the clip is checked.
      let isChecked = step == .process && (fraction ?? 0) >= 1
      board.update(id, fraction, isChecked ? .text("checking") : detail, stage: step.rawValue)
    case .ended(let job, let step):
      // The upload step ends when all bytes have been uploaded, not when the upload has been created.
      if step == .upload, case .uploading = job.stage { return }
      let text = step.summarize(job, time: board.restart(job.id, stage: nil))
      print(isMany ? "\(whole: job.source.name, .strong): \(text)" : "  \(text)", indent: isMany ? 4 : 12)
    case .note(let id, let text): print("\("note:", .faint) \(text)", about: id)
    case .warning(let id, let text): print("\("warning:", .doubtful) \(text)", about: id)
    }
  }

  private func print(_ text: StyledText, about id: UUID) {
    print((isMany ? board.taskName(of: id).map { "\($0, .strong): " } ?? "  " : "  ") + text)
  }

  private func print(_ line: StyledText, indent: Int = 4) { board.print(line.onOneLine, indent: indent) }
}
