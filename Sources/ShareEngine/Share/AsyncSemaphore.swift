/// Limits how many tasks do something at the same time. Waiting tasks continue in the order in which they called.
package actor AsyncSemaphore {
  private var freeCount: Int
  /// The waiting tasks, numbered in the order in which they called.
  private var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var nextNumber = 0

  /// - Parameter count: the limit; values below 1 are treated as 1.
  package init(_ count: Int) { freeCount = max(count, 1) }

  /// The number of waiting tasks, for tests.
  package var waitingCount: Int { waiters.count }

  /// Waits for a free slot, then runs `work`.
  /// - Throws: `CancellationError` if the task is canceled while it waits; otherwise, the errors of `work`.
  package func use<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await acquire()
    defer { release() }
    return try await work()
  }

  private func acquire() async throws {
    try Task.checkCancellation()
    if freeCount > 0 {
      freeCount -= 1
      return
    }
    nextNumber += 1
    let number = nextNumber
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        // The cancellation handler may have run before this waiter was added to the list.
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        waiters[number] = continuation
      }
    } onCancel: {
      Task { await self.cancelWaiter(number) }
    }
  }

  /// Hands the slot directly to the next waiter, so that no later task can take it in between.
  private func release() {
    if let next = waiters.keys.min() { waiters.removeValue(forKey: next)?.resume() } else { freeCount += 1 }
  }

  private func cancelWaiter(_ number: Int) {
    waiters.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }
}
