/// Provides a mutex for each key. Tasks that wait for the same key run in first-come, first-served order.
actor KeyedMutex<Key: Hashable & Sendable> {
  private var semaphores: [Key: (semaphore: AsyncSemaphore, userCount: Int)] = [:]

  /// Waits for the key's mutex, then runs `work`.
  /// - Throws: `CancellationError` if the task is canceled while it waits; otherwise, any error that `work` throws.
  func withLock<Value: Sendable>(_ key: Key, _ work: @Sendable () async throws -> Value) async throws -> Value {
    let semaphore = semaphores[key]?.semaphore ?? AsyncSemaphore(1)
    semaphores[key] = (semaphore, (semaphores[key]?.userCount ?? 0) + 1)
    defer { releaseKey(key) }
    return try await semaphore.withSlot(work)
  }

  private func releaseKey(_ key: Key) {
    guard let (semaphore, count) = semaphores[key] else { return }
    semaphores[key] = count > 1 ? (semaphore, count - 1) : nil
  }
}
