/// The seam between what we say in HTTP and how it travels: live it is a `TransferThread`, in tests anything.
public protocol HTTPTransport: Sendable {
  /// Sends the request and returns the answer, whatever its status.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - progress: told how many bytes of the body have left; called on any thread, never after the return.
  /// - Throws: `CurlError` when there is no answer, `CancellationError`, or what the body's reader threw.
  func send(_ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void) async throws
    -> HTTPResponse
}

extension HTTPTransport {
  /// The same for those who do not want to know how far it is.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await send(request) { _ in } }
}
