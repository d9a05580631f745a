import ClipModel
import Foundation
import Highlights
import LibCurl
import Social

/// Sends the requests of the social layer with the connection's current URL and token.
struct SocialRowTransport: SocialTransport {
  private let client: BackendClient

  /// - Parameter policy: how long requests are retried. Actions that can wait need only a short time.
  init(
    transport: any HTTPTransport, policy: RetryPolicy,
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  ) {
    client = BackendClient(
      transport: transport, endpoint: endpoint, policy: policy, clock: ContinuousClock(),
      generator: SystemRandomNumberGenerator())
  }

  func send(_ request: SocialRequest) async throws -> SocialResponse {
    let method: HTTPMethod =
      switch request.method {
      case .get: .get
      case .post: .post
      case .patch: .patch
      case .delete: .delete
      }
    do {
      let response = try await client.exchange(
        BackendCall(
          operation: request.operation,
          path: request.service == .rows ? .rest(request.path) : .storage(request.path), method: method,
          headers: request.headers,
          body: request.body.map(Array.init)))
      return SocialResponse(status: response.status, body: Data(response.body))
    } catch HighlightsError.unreachable(let operation, let reason) {
      throw SocialError.unreachable(operation: operation, reason: reason)
    }
  }
}
