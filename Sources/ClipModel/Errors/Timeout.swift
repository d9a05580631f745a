/// Runs `work` and cancels it when the timeout expires.
/// - Returns: the result of `work`, or `nil` if the timeout expired. In that case, returns after the canceled work has
///   ended.
package func withTimeout<Value: Sendable>(
  _ timeout: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: timeout)
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
