import Foundation
import Synchronization

/// Runs blocking work on a thread of its own, so that the cooperative pool keeps its few threads.
public enum WorkerThread {
  /// Runs `body` on a new thread and waits for it without blocking.
  ///
  /// `body` gets a flag that the task's cancellation sets; it polls it where it can stop, and throws
  /// `CancellationError`.
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

/// Set once, by the cancellation of the task that waits.
public final class CancellationFlag: Sendable {
  private let isSet = Atomic(false)

  init() {}

  func set() { isSet.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` when the waiting task is cancelled.
  public func check() throws {
    if isSet.load(ordering: .relaxed) { throw CancellationError() }
  }
}
