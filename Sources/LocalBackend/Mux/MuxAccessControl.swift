import Foundation
import Hummingbird

/// In front of every route of Mux's API: who asks, and how often.
struct MuxAccessControl: BackendMiddleware {

  private let keys: ServerKeys
  private let now: @Sendable () -> Date
  private let posts: RateBucket
  private let others: RateBucket

  init(keys: ServerKeys, configuration: LocalServerConfiguration) {
    self.keys = keys
    now = configuration.now
    posts = RateBucket(configuration.muxPostLimit)
    others = RateBucket(configuration.muxRequestLimit)
  }

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    let bucket = request.method == .post ? posts : others
    // Requests without a key do not use up the rate of those with one.
    let isKnown = isKnown(request.headers[.authorization])
    let rate = isKnown ? bucket.take(at: now()) : bucket.look(at: now())
    var response: Response
    do {
      guard isKnown else { throw Self.unauthorized }
      if let wait = rate.waitSeconds { throw Self.tooMany(after: wait) }
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    }
    response.headers.set("x-ratelimit-limit", to: String(bucket.limit.capacity))
    response.headers.set("x-ratelimit-remaining", to: String(rate.remaining))
    return response
  }

  /// `Basic base64(id:secret)`, compared in constant time.
  private func isKnown(_ header: String?) -> Bool {
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

  private static func tooMany(after seconds: Double) -> BackendFailure {
    BackendFailure(
      .tooManyRequests, "rate_limit", "too many requests",
      headers: [.retryAfter: String(Int(min(seconds, 3600).rounded(.up)))])
  }
}
