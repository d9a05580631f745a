import Foundation
import Hummingbird

/// Checks the credentials and the rate limit of requests to the Mux API.
struct MuxAccessControl: BackendMiddleware {
  let keys: ServerKeys
  let now: @Sendable () -> Date
  let posts: RateBucket
  let others: RateBucket

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    let bucket = request.method == .post ? posts : others
    // Requests with invalid credentials don't count toward the rate limit.
    let isAuthorized = isAuthorized(request.headers[.authorization])
    let rate = bucket.takeTokens(isAuthorized ? 1 : 0, at: now())
    var response = try await Self.response(to: request, context) { request, context in
      guard isAuthorized else { throw Self.unauthorized }
      if let wait = rate.waitSeconds { throw Self.tooManyRequests(retryAfter: wait) }
      return try await next(request, context)
    }
    response.headers.set("x-ratelimit-limit", to: String(bucket.limit.capacity))
    response.headers.set("x-ratelimit-remaining", to: String(rate.remaining))
    return response
  }

  /// Checks the credentials in `Basic base64(id:secret)`. The comparison takes constant time.
  private func isAuthorized(_ header: String?) -> Bool {
    guard let header, header.prefix(6).lowercased() == "basic ",
      let decoded = Data(base64Encoded: String(header.dropFirst(6).drop { $0 == " " }))
    else { return false }
    let given = String(decoding: decoded, as: UTF8.self)
    return RandomText.isEqualInConstantTime(given, "\(keys.muxTokenID):\(keys.muxTokenSecret)")
  }

  private static var unauthorized: BackendFailure {
    BackendFailure(
      .unauthorized, "unauthorized", "Unauthorized request", headers: [.wwwAuthenticate: "Basic realm=\"bsc\""])
  }

  private static func tooManyRequests(retryAfter seconds: Double) -> BackendFailure {
    BackendFailure(
      .tooManyRequests, "rate_limit", "too many requests",
      headers: [.retryAfter: String(Int(min(seconds, 3600).rounded(.up)))])
  }
}
