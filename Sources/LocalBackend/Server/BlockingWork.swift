import NIOPosix

/// Runs work that waits for the disk on NIO's thread pool instead of the cooperative pool.
///
/// The work runs to its end even if the task is canceled, because received bytes must be recorded.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await uncancelled { try await NIOThreadPool.singleton.runIfActive(work) }
}

/// Runs an operation that must not stop halfway when its request is canceled.
func uncancelled<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
  try await Task { try await operation() }.value
}
