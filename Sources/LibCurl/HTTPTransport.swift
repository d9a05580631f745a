/// Sends HTTP requests: a `TransferThread`, or a stub for tests.
public protocol HTTPTransport: Sendable {
  /// Sends the request and returns the response, whatever its status.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - progress: receives the sent bytes of the body; called on any thread, never after the return.
  /// - Throws: `CurlError` if there is no response, `CancellationError`, or an error of the body's reader.
  func send(_ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void) async throws
    -> HTTPResponse
}

extension HTTPTransport {
  /// Sends the request without reporting progress.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await send(request) { _ in } }
}
