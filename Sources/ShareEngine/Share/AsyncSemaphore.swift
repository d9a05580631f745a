/// Limits the number of tasks that run an operation at the same time. Waiting tasks are served in the order in which
/// they called.
package actor AsyncSemaphore {
  private var freeCount: Int
  /// The waiting tasks, by sequence number.
  private var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var nextNumber = 0

  /// - Parameter count: the maximum number of concurrent operations. Values below 1 are treated as 1.
  package init(_ count: Int) { freeCount = max(count, 1) }

  /// The number of waiting tasks. Used only by tests.
  package var waitingCount: Int { waiters.count }

  /// Waits for a free slot, then runs `work`.
  /// - Throws: `CancellationError` if the task is canceled while it waits; otherwise, any error that `work` throws.
  package func withSlot<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await acquireSlot()
    defer { releaseSlot() }
    return try await work()
  }

  private func acquireSlot() async throws {
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

  /// Hands the slot directly to the next waiting task, so that a task that calls later cannot take the slot first.
  private func releaseSlot() {
    if let next = waiters.keys.min() { waiters.removeValue(forKey: next)?.resume() } else { freeCount += 1 }
  }

  private func cancelWaiter(_ number: Int) {
    waiters.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }
}
