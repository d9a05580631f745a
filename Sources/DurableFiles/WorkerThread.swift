import Foundation
import Synchronization

/// Runs blocking work on a separate thread, to avoid blocking the cooperative thread pool.
public enum WorkerThread {
  /// Runs `body` on a new thread, and suspends the task until `body` ends.
  ///
  /// Canceling the task sets the flag that is passed to `body`. `body` should call `check()` on the flag wherever it
  /// can stop.
  public static func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable (CancellationFlag) throws -> Value
  ) async throws -> Value {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body(flag) }) }
        thread.name = name
        thread.start()
      }
    } onCancel: {
      flag.set()
    }
  }
}

/// A flag that is set if the waiting task is canceled.
public final class CancellationFlag: Sendable {
  private let isSet = Atomic(false)

  init() {}

  func set() { isSet.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` if the waiting task has been canceled.
  public func check() throws {
    if isSet.load(ordering: .relaxed) { throw CancellationError() }
  }
}
