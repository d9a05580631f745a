import ClipModel
import LibCurl
import Synchronization

/// Notifies the user once per command that a remote backend is unavailable and that requests are being retried.
final class OutageNoticeTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let notice: @Sendable (String) -> Void
  private let isReported = Atomic(false)

  init(_ transport: any HTTPTransport, notice: @escaping @Sendable (String) -> Void) {
    self.transport = transport
    self.notice = notice
  }

  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void
  ) async throws -> HTTPResponse {
    do {
      let response = try await transport.send(request, progress: progress)
      if (500...599).contains(response.status) { notifyOnce("the backend responded with \(response.status)", request) }
      return response
    } catch let error as CurlError where error.isTemporary {
      notifyOnce(error.description, request)
      throw error
    }
  }

  private func notifyOnce(_ reason: String, _ request: HTTPRequest) {
    // Requests that must not be sent twice are never retried, so don't announce a retry.
    guard request.reusesConnection, !isReported.exchange(true, ordering: .relaxed) else { return }
    notice("\(reason); retrying for up to 30 s")
  }
}
