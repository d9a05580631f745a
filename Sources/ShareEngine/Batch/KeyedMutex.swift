/// A mutex for each key. Tasks that wait for the same key run in the order in which they called.
actor KeyedMutex<Key: Hashable & Sendable> {
  private var semaphores: [Key: (semaphore: AsyncSemaphore, userCount: Int)] = [:]

  /// Waits for the key's mutex, then runs `work`.
  /// - Throws: `CancellationError` when the task is canceled while it waits; errors of `work`.
  func use<Value: Sendable>(_ key: Key, _ work: @Sendable () async throws -> Value) async throws -> Value {
    let semaphore = semaphores[key]?.semaphore ?? AsyncSemaphore(1)
    semaphores[key] = (semaphore, (semaphores[key]?.userCount ?? 0) + 1)
    defer { release(key) }
    return try await semaphore.use(work)
  }

  private func release(_ key: Key) {
    guard let (semaphore, count) = semaphores[key] else { return }
    semaphores[key] = count > 1 ? (semaphore, count - 1) : nil
  }
}
