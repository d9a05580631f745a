import ClipModel
import ShareEngine

/// One file after the other: how much of it is written.
final class FileProgress: Sendable {
  private let board: ProgressBoard<Int>
  private let stage: String
  private let whenWritten: String

  /// - Parameters:
  ///   - stage: what is done.
  ///   - whenWritten: what is done with a file after its last byte.
  init(_ mode: ProgressMode, stage: String = "writing", whenWritten: String) {
    // What takes less than a moment is not worth a line.
    board = ProgressBoard(mode, namesWork: true, patience: .milliseconds(300))
    self.stage = stage
    self.whenWritten = whenWritten
  }

  func begin(_ name: String) { board.begin(0, name, stage: stage) }

  func move(_ fraction: Double) { board.move(0, fraction, fraction < 1 ? nil : .text(whenWritten)) }

  /// Of several files so many are done.
  func move(_ count: Int, of total: Int) {
    board.move(0, Double(count) / Double(max(total, 1)), .text("\(count) of \(total.counting("file"))"))
  }

  /// Takes the moving line away while somebody else writes.
  func interrupting(_ write: () throws -> Void) rethrows { try board.interrupting(write) }

  func end() { board.end() }
}
