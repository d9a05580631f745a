import Foundation

/// Turns the -1 of system calls into typed errors.
enum SystemCall {
  /// Runs `call`, repeats it while a signal interrupts it, and throws its `errno` when the result is negative.
  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: FileOperation, _ call: () -> Value
  ) throws(DurableFileError) -> Value {
    try attempt(call).mapError { DurableFileError(operation, errno: $0.code) }.get()
  }

  /// Like `check(_:_:)`, but returns `nil` for some failures.
  /// - Parameter codes: the `errno` values of these failures.
  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: FileOperation, tolerating codes: [Int32], _ call: () -> Value
  ) throws(DurableFileError) -> Value? {
    let result = attempt(call)
    if case .failure(let failure) = result, codes.contains(failure.code) { return nil }
    return try result.mapError { DurableFileError(operation, errno: $0.code) }.get()
  }

  /// Like `check(_:_:)`, for callers that handle failures themselves.
  static func attempt<Value: SignedInteger>(_ call: () -> Value) -> Result<Value, Failure> {
    while true {
      let value = call()
      if value >= 0 { return .success(value) }
      let code = errno
      if code != EINTR { return .failure(Failure(code: code)) }
    }
  }

  struct Failure: Error {
    let code: Int32
  }

  /// The status of a path; `nil` when it cannot be determined.
  /// - Parameter followsLink: reports the target of a symbolic link instead of the link.
  static func status(of path: String, followsLink: Bool) -> stat? {
    var status = stat()
    let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
    return unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 ? status : nil
  }

  /// The system's text for an `errno`.
  static func message(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
