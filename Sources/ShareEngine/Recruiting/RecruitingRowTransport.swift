import ClipModel
import Foundation
import Highlights
import LibCurl
import Recruiting

/// Sends the requests of recruiting with the connection's current URL and token.
struct RecruitingRowTransport: RecruitingTransport {
  private let client: BackendClient

  init(
    transport: any HTTPTransport,
    endpoint: @escaping @Sendable (_ refused: BackendEndpoint?) async throws -> BackendEndpoint
  ) {
    client = BackendClient(
      transport: transport, endpoint: endpoint, policy: .brief, clock: ContinuousClock(),
      generator: SystemRandomNumberGenerator())
  }

  func send(_ request: RecruitingRequest) async throws -> RecruitingResponse {
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
          operation: request.operation, path: .rest(request.path), method: method, headers: request.headers,
          body: request.body.map(Array.init), isRepeatable: request.isRepeatable, returnsRateLimit: true))
      return RecruitingResponse(status: response.status, body: Data(response.body))
    } catch HighlightsError.unreachable(let operation, let reason) {
      throw RecruitingError(.unreachable, ["operation": operation, "reason": reason])
    }
  }
}
