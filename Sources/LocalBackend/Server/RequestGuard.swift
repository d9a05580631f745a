import Hummingbird

/// Rejects requests from web pages of other origins, because any browser on this machine can reach the server. Adds
/// security headers to every response.
struct RequestGuard: BackendMiddleware {
  /// Whether other machines can connect with a token. If so, the guard accepts any host name.
  var isOpen = false

  /// The host names that always refer to this machine. A request for any other name may come from a web page whose host
  /// resolves to 127.0.0.1 (DNS rebinding).
  private static let loopbackNames: Set = ["127.0.0.1", "localhost", "[::1]"]

  /// The maximum size of a `DELETE` body in bytes. The body is ignored, because some libraries send `{}`.
  private static let deletionLimit: Int64 = 1024

  static let resourcePolicy = "cross-origin-resource-policy"

  private static let contentSecurityPolicy = """
    default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    var response: Response
    do {
      response = try await Self.response(to: request, context) { request, context in
        try check(request)
        return try await next(request, context)
      }
    } catch  where StorageFailure.isDiskFull(error) {
      response = try StorageFailure.response(to: request).response(from: request, context: context)
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    // Pages define their own content security policy.
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
      response.headers.set("referrer-policy", to: "no-referrer")
    }
    if response.headers.value(of: Self.resourcePolicy) == nil {
      response.headers.set(Self.resourcePolicy, to: "same-origin")
    }
    return response
  }

  private func check(_ request: Request) throws(BackendFailure) {
    // Hummingbird uses the first `Host` header as the authority, but a proxy may have used the second one.
    guard !request.headers.contains(where: { $0.name.canonicalName == "host" }) else {
      throw BackendFailure(.badRequest, "invalid_request", "the request has more than one Host header")
    }
    let authority = request.head.authority?.lowercased() ?? ""
    guard isOpen || Self.loopbackNames.contains(Self.hostName(of: authority)) else {
      throw BackendFailure(
        .misdirectedRequest, "wrong_host", "this server accepts only requests for 127.0.0.1 and localhost")
    }
    if request.method == .delete, let length = request.headers.contentByteCount, length > Self.deletionLimit {
      throw BackendFailure(.contentTooLarge, "invalid_request", "a DELETE request must not have a body")
    }
    guard request.method != .get, request.method != .head, !CrossOrigin.isOriginChecked(byRouteOf: request) else {
      return
    }
    guard CrossOrigin.origin(of: request) == nil else { throw CrossOrigin.refusal }
  }

  /// Returns the authority's host without the port.
  private static func hostName(of authority: String) -> String {
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]"),
      parseDecimal(authority[authority.index(after: colon)...]) != nil
    else { return authority }
    return String(authority[..<colon])
  }
}
