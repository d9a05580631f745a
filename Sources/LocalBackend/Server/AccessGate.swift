import Foundation
import Hummingbird

/// Requires the server's token when other machines can reach the server.
///
/// Clients send the token as a bearer token, in a cookie, or once as `?token=` in a URL, which sets the cookie. The
/// gate also accepts this server's secret key, sessions and signed addresses of videos. Upload URLs, links to highlights,
/// the Mux API and the owner's sign-in link have separate secrets, which their routes check.
struct AccessGate: BackendMiddleware {
  let token: String
  let callers: CallerIdentity
  let sessions: PageSessions
  let playback: PlaybackTokens

  private static let cookieName = "bsc_token"

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    if Self.isCheckedByRoute(request) { return try await next(request, context) }
    if await playback.accepts(request, now: callers.now()) { return try await next(request, context) }
    if let bearer = CallerIdentity.bearerToken(of: request), RandomText.isEqualInConstantTime(bearer, token) {
      // The token grants access but doesn't identify an account.
      var head = request.head
      head.headerFields[.authorization] = nil
      return try await next(Request(head: head, body: request.body), context)
    }
    if try await hasCredentials(request) || hasCookie(request) { return try await next(request, context) }
    if try await sessions.session(of: request) != nil { return try await next(request, context) }
    if request.method == .get, let given = request.uri.queryParameters.get("token"),
      RandomText.isEqualInConstantTime(given, token)
    {
      // An unsafe path such as `//host` would redirect the browser to a different host.
      var headers: HTTPFields = [.location: LocalPath.redirectTarget(request.uri.path), .cacheControl: "no-store"]
      headers[.setCookie] = "\(Self.cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict"
      return Response(status: .seeOther, headers: headers)
    }
    throw BackendFailure(
      .unauthorized, "unauthorized",
      "this server requires a token: send it in the Authorization header, or append ?token= to the URL",
      headers: [.wwwAuthenticate: "Bearer"])
  }

  /// Whether the route of a request checks a separate secret or needs none. Upload URLs, links to highlights, the
  /// Mux API and the owner's sign-in link have their own secrets; static files are the same on every server.
  private static func isCheckedByRoute(_ request: Request) -> Bool {
    let path = request.uri.path
    if path.hasPrefix("/video/v1/") || path == "/enter" { return true }
    if [.get, .head].contains(request.method), path.hasPrefix("/static/") || path.hasPrefix("/s/") { return true }
    return [.put, .delete, .options].contains(request.method) && path.hasPrefix("/upload/")
      && path.split(separator: "/").count == 2
  }

  /// Whether the request has a valid access token or secret key. Client keys ship with every copy of an app, so they
  /// don't count.
  private func hasCredentials(_ request: Request) async throws -> Bool {
    guard CallerIdentity.hasCredentials(request) else { return false }
    do {
      return try await callers.caller(of: request) != .anonymous
    } catch is PostgRESTFailure {
      return false
    }
  }

  private func hasCookie(_ request: Request) -> Bool {
    request.cookies[Self.cookieName].map { RandomText.isEqualInConstantTime($0.value, token) } ?? false
  }
}
