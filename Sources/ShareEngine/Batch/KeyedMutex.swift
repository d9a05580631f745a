/// One at a time for each key; who comes later waits, in the order of coming.
actor KeyedMutex<Key: Hashable & Sendable> {
  private var turns: [Key: (turns: AsyncSemaphore, count: Int)] = [:]

  /// Waits for the key's turn, then does the work.
  /// - Throws: `CancellationError` when it is cancelled before its turn, or what the work throws.
  func use<Value: Sendable>(_ key: Key, _ work: @Sendable () async throws -> Value) async throws -> Value {
    let line = turns[key]?.turns ?? AsyncSemaphore(1)
    turns[key] = (line, (turns[key]?.count ?? 0) + 1)
    defer { leave(key) }
    return try await line.use(work)
  }

  private func leave(_ key: Key) {
    guard let (line, count) = turns[key] else { return }
    turns[key] = count > 1 ? (line, count - 1) : nil
  }
}
