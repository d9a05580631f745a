/// So many at a time; who comes later waits, in the order of coming.
public actor AsyncSemaphore {
  private var free: Int
  private var waiters: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var nextNumber = 0

  /// - Parameter count: at least one.
  public init(_ count: Int) { free = max(count, 1) }

  /// How many wait for a turn.
  var waitingCount: Int { waiters.count }

  /// Waits for a turn, then does the work.
  /// - Throws: `CancellationError` when it is cancelled before its turn, or what the work throws.
  public func use<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await begin()
    defer { end() }
    return try await work()
  }

  private func begin() async throws {
    try Task.checkCancellation()
    if free > 0 {
      free -= 1
      return
    }
    nextNumber += 1
    let number = nextNumber
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        // Cancelled before it stood in the line: nobody would find it there.
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        waiters.append((number, continuation))
      }
    } onCancel: {
      Task { await self.leave(number) }
    }
  }

  private func end() {
    // The turn goes to the next in the line without becoming free: nobody can get between.
    if waiters.isEmpty { free += 1 } else { waiters.removeFirst().continuation.resume() }
  }

  private func leave(_ number: Int) {
    guard let place = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: place).continuation.resume(throwing: CancellationError())
  }
}
