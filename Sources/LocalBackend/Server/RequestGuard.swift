import Hummingbird

/// Keeps web pages of other origins away from a server that anyone on this machine's browser can reach, and puts the
/// security headers on every answer.
struct RequestGuard: BackendMiddleware {
  /// Other machines may come, with a token: then any name may lead here.
  var isOpen = false

  /// Names that only this machine answers to. Any other is a page whose host name was pointed at 127.0.0.1
  /// (DNS rebinding).
  private static let loopbackNames: Set = ["127.0.0.1", "localhost", "[::1]"]

  /// Bytes of a body that is not read; some libraries send `{}`.
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
      try check(request)
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    } catch  where StorageFailure.isDiskFull(error) {
      response = try StorageFailure.refusal(of: request).response(from: request, context: context)
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    // Pages have their own.
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
    // The first has become the authority: a proxy in between may have used the second one.
    guard !request.headers.contains(where: { $0.name.canonicalName == "host" }) else {
      throw BackendFailure(.badRequest, "invalid_request", "more than one Host")
    }
    let authority = request.head.authority?.lowercased() ?? ""
    guard isOpen || Self.loopbackNames.contains(Self.hostName(of: authority)) else {
      throw BackendFailure(.misdirectedRequest, "wrong_host", "this server answers to 127.0.0.1 and localhost")
    }
    if request.method == .delete, let length = request.headers[.contentLength].flatMap({ decimal($0) }),
      length > Self.deletionLimit
    {
      throw BackendFailure(.contentTooLarge, "invalid_request", "DELETE takes no body")
    }
    guard request.method != .get, request.method != .head, !CrossOrigin.isChecked(byRouteOf: request) else { return }
    guard CrossOrigin.origin(of: request) == nil else { throw CrossOrigin.refusal }
  }

  /// The authority without its port.
  private static func hostName(of authority: String) -> String {
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]"),
      decimal(authority[authority.index(after: colon)...]) != nil
    else { return authority }
    return String(authority[..<colon])
  }
}
