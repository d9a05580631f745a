/// An interface for sending HTTP requests, implemented by `TransferThread` and by stubs in tests.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the response, regardless of its status code.
  ///
  /// - Parameters:
  ///   - request: the request to send.
  ///   - progress: called with the number of bytes of the body sent so far. May be called on any thread, but never
  ///     after this method has returned.
  /// - Throws: `CurlError` if no response was received, `CancellationError`, or the error that the body's reader threw.
  func send(_ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void) async throws
    -> HTTPResponse
}

extension HTTPTransport {
  /// Sends a request without reporting progress.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await send(request) { _ in } }
}
