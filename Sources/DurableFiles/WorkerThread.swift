import Foundation
import Synchronization

/// Runs blocking work on a separate thread, so that it does not block the cooperative pool.
public enum WorkerThread {
  /// Runs `body` on a new thread and waits for it without blocking.
  ///
  /// Canceling the task sets the flag passed to `body`. `body` calls its `check()` wherever it can stop.
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

/// A flag that is set when the waiting task is canceled.
public final class CancellationFlag: Sendable {
  private let isSet = Atomic(false)

  init() {}

  func set() { isSet.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` when the waiting task is canceled.
  public func check() throws {
    if isSet.load(ordering: .relaxed) { throw CancellationError() }
  }
}
