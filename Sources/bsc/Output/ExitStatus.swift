import ClipModel
import ShareEngine

/// The one map from kinds of failure to exit codes (Docs/exit-codes.md).
enum ExitStatus {
  static let usage: Int32 = 64
  static let interrupted: Int32 = 130

  static func code(for category: FailureCategory) -> Int32 {
    switch category {
    case .unexpected: 1
    case .unjudged: 3
    case .rejected: 4
    case .notConfigured: 5
    case .remote: 6
    case .locked: 7
    case .usage: usage
    case .noInput: 66
    case .inputOutput: 74
    case .interrupted: interrupted
    }
  }

  /// Of several files the worst failure decides.
  /// - Parameter findingsWin: as in `FailureCategory.worst`.
  static func code(forAll categories: [FailureCategory], findingsWin: Bool = false) -> Int32 {
    FailureCategory.worst(of: categories, findingsWin: findingsWin).map(code(for:)) ?? 0
  }

  static func code(for outcome: RunOutcome) -> Int32 { outcome.worst.map(code(for:)) ?? 0 }
}

extension ExitStatus {
  /// Of two codes the one that comes first in the documented order.
  static func worse(_ first: Int32, _ second: Int32) -> Int32 {
    let order: [Int32] = [130, 143, 74, 7, 5, 6, 1, 3, usage, 4]
    return order.first { $0 == first || $0 == second } ?? max(first, second)
  }
}

/// Ends the program with a code after everything has been said.
struct ExitStatusError: Error {
  var code: Int32

  /// Returns when the code is 0.
  static func end(with code: Int32) throws {
    if code != 0 { throw ExitStatusError(code: code) }
  }
}
