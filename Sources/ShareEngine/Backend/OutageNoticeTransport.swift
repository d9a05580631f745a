import ClipModel
import LibCurl
import Synchronization

/// Says once per command that a backend elsewhere cannot be asked now: what asks it tries again for half a minute, and
/// nobody should wonder meanwhile what it waits for.
final class OutageNoticeTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let notice: @Sendable (String) -> Void
  private let isTold = Atomic(false)

  init(_ transport: any HTTPTransport, notice: @escaping @Sendable (String) -> Void) {
    self.transport = transport
    self.notice = notice
  }

  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void
  ) async throws -> HTTPResponse {
    do {
      let response = try await transport.send(request, progress: progress)
      if (500...599).contains(response.status) { tell("the backend answered \(response.status)", request) }
      return response
    } catch let error as CurlError where error.isTemporary {
      tell(error.description, request)
      throw error
    }
  }

  /// What may not be sent twice is not tried again.
  private func tell(_ why: String, _ request: HTTPRequest) {
    guard request.mayReuseConnection, !isTold.exchange(true, ordering: .relaxed) else { return }
    notice("\(why); trying again for half a minute")
  }
}
