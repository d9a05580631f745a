import ClipModel
import ShareEngine

/// Shows the progress of files that are processed one after another.
final class FileProgress: Sendable {
  private let board: ProgressBoard<Int>
  private let stage: String
  private let finalStep: String

  /// - Parameters:
  ///   - stage: the current work on the file, for example `writing`.
  ///   - finalStep: the work after the last byte, for example `verifying`.
  init(_ mode: ProgressMode, stage: String = "writing", finalStep: String) {
    board = ProgressBoard(mode, namesTasks: true, delay: .milliseconds(300))
    self.stage = stage
    self.finalStep = finalStep
  }

  func begin(_ name: String) { board.begin(0, name, stage: stage) }

  func update(_ fraction: Double) { board.update(0, fraction, fraction < 1 ? nil : .text(finalStep)) }

  /// Shows how many of the files are done.
  func update(_ count: Int, of total: Int) {
    board.update(0, Double(count) / Double(max(total, 1)), .text("\(count) of \(total.withNoun("file"))"))
  }

  /// Prints that an interrupted encode continues.
  func showContinuation(of name: String, _ stored: EncodingProgress) {
    if board.mode == .json { Console.writeErrorJSON(BatchEventDocument(continuationOf: name, stored)) }
    board.print(StyledText("\(name): \(stored.continuationText)").onOneLine)
  }

  /// Hides the progress line while `write` writes to the terminal.
  func withProgressHidden(_ write: () throws -> Void) rethrows { try board.withProgressHidden(write) }

  func end() { board.end() }
}
