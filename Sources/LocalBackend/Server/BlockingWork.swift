import NIOPosix

/// Runs blocking disk I/O on NIO's thread pool instead of the cooperative thread pool.
///
/// The work always runs to completion, even if the task is canceled, because the server must record the bytes it has
/// received.
func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withoutCancellation { try await NIOThreadPool.singleton.runIfActive(work) }
}

/// Runs an operation to completion, even if the request's task is canceled.
func withoutCancellation<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws
  -> Value
{
  try await Task { try await operation() }.value
}
