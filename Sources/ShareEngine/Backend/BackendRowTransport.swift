import ClipModel
import Foundation
import Highlights
import LibCurl
import RowRequests

/// Sends requests for rows with the connection's current URL and token.
struct BackendRowTransport: RowTransport {
  private let client: BackendClient
  private let returnsRateLimit: Bool

  /// - Parameters:
  ///   - policy: how long requests are retried. Actions that can wait need only a short time.
  ///   - returnsRateLimit: whether a response with status 429 is returned instead of retrying.
  init(_ connection: BackendConnection, _ transport: any HTTPTransport, policy: RetryPolicy, returnsRateLimit: Bool) {
    client = BackendClient(
      transport: transport, endpoint: { try await connection.endpoint(refused: $0) }, policy: policy,
      clock: ContinuousClock(), generator: SystemRandomNumberGenerator())
    self.returnsRateLimit = returnsRateLimit
  }

  func send(_ request: RowRequest) async throws -> RowResponse {
    let method: HTTPMethod =
      switch request.method {
      case .get: .get
      case .post: .post
      case .patch: .patch
      case .delete: .delete
      }
    let path: BackendCall.Path =
      switch request.service {
      case .rows: .rest(request.path)
      case .storage: .storage(request.path)
      case .functions: .functions(request.path)
      }
    do {
      let response = try await client.exchange(
        BackendCall(
          operation: request.operation, path: path, method: method, headers: request.headers,
          body: request.body.map(Array.init), isRepeatable: request.isRepeatable, returnsRateLimit: returnsRateLimit))
      return RowResponse(status: response.status, body: Data(response.body))
    } catch HighlightsError.unreachable(_, let reason) {
      throw UnreachableError(reason: reason)
    }
  }
}
