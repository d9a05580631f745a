import Foundation

/// The one place where a system call's -1 becomes a typed error.
enum SystemCall {
  /// Runs `call`, again as long as a signal interrupts it, and throws its `errno` when it answers below zero.
  @discardableResult
  static func check<Answer: SignedInteger>(
    _ what: @autoclosure () -> FileOperation, _ purpose: DurableFileError.Purpose, _ call: () -> Answer
  ) throws(DurableFileError) -> Answer {
    switch attempt(call) {
    case .success(let answer): return answer
    case .failure(let failure): throw DurableFileError(what(), errno: failure.code, purpose: purpose)
    }
  }

  /// Like `check`, where some failures are answers too.
  /// - Parameter codes: those; `nil` is returned for them.
  @discardableResult
  static func check<Answer: SignedInteger>(
    _ what: @autoclosure () -> FileOperation, _ purpose: DurableFileError.Purpose, tolerating codes: [Int32],
    _ call: () -> Answer
  ) throws(DurableFileError) -> Answer? {
    switch attempt(call) {
    case .success(let answer): return answer
    case .failure(let failure) where codes.contains(failure.code): return nil
    case .failure(let failure): throw DurableFileError(what(), errno: failure.code, purpose: purpose)
    }
  }

  /// As `check`, for callers that have an answer to some failures.
  static func attempt<Answer: SignedInteger>(_ call: () -> Answer) -> Result<Answer, Failure> {
    while true {
      let answer = call()
      if answer >= 0 { return .success(answer) }
      let code = errno
      if code != EINTR { return .failure(Failure(code: code)) }
    }
  }

  struct Failure: Error {
    let code: Int32
  }

  /// The system's text for a code that has no better one of ours.
  static func message(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
