import ClipModel
import ShareEngine

/// The only mapping from failure categories to exit codes (Docs/exit-codes.md).
enum ExitStatus {
  static let usage: Int32 = 64
  static let interrupted: Int32 = 130

  static func exitCode(for category: FailureCategory) -> Int32 {
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

  /// Returns the exit code for the worst failure; 0 if there is none.
  static func exitCode(forAll categories: [FailureCategory]) -> Int32 {
    FailureCategory.worstCategory(of: categories).map(exitCode(for:)) ?? 0
  }
}

/// An error that ends the program with an exit code, after all output has been written.
struct ExitStatusError: Error {
  var code: Int32

  /// Throws the exit code for the worst failure; returns if nothing has failed.
  static func throwIfFailed(with outcome: RunOutcome) throws { try throwIfFailed(with: outcome.worst) }

  static func throwIfFailed(with failure: FailureCategory?) throws {
    if let failure { throw ExitStatusError(code: ExitStatus.exitCode(for: failure)) }
  }
}
