import Foundation

/// Converts failures of system calls to typed errors.
enum SystemCall {
  /// Runs a system call, repeats it if a signal interrupts it, and throws an error with its `errno` if the result is
  /// negative.
  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: FileOperation, _ call: () -> Value
  ) throws(DurableFileError) -> Value {
    try attempt(call).mapError { DurableFileError(operation, errno: $0.code) }.get()
  }

  /// Runs a system call in the same way as `check(_:_:)`, but returns `nil` for some errors.
  /// - Parameter codes: the `errno` values for which `nil` is returned.
  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: FileOperation, tolerating codes: [Int32], _ call: () -> Value
  ) throws(DurableFileError) -> Value? {
    let result = attempt(call)
    if case .failure(let failure) = result, codes.contains(failure.code) { return nil }
    return try result.mapError { DurableFileError(operation, errno: $0.code) }.get()
  }

  /// Runs a system call in the same way as `check(_:_:)`, but returns errors as a `Result` that the caller handles.
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

  /// Returns the status of a path, or `nil` if the status cannot be determined.
  /// - Parameter followsLink: whether to return the status of a symbolic link's target instead of the link.
  static func status(of path: String, followsLink: Bool) -> stat? {
    var status = stat()
    let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
    return unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 ? status : nil
  }

  /// Returns the system's error message for an `errno` value.
  static func message(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
