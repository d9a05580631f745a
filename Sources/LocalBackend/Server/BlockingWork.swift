import NIOPosix

/// Runs work that waits for the disk on NIO's thread pool, off the cooperative one.
///
/// The work runs and ends even if the task is cancelled: what was received has to be recorded.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await uncancelled { try await NIOThreadPool.singleton.runIfActive(work) }
}

/// Runs an operation that must not stop half-way when its request is cancelled.
func uncancelled<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
  try await Task { try await operation() }.value
}
