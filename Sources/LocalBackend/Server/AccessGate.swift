import Foundation
import Hummingbird

/// Requires the server's token, when other machines can reach it.
///
/// The token comes as `Authorization: Bearer`, in the cookie of a browser, or once as `?token=`, which becomes the
/// cookie. The secret key or a session of this server is as good, also a browser's; and addresses with a secret of their
/// own are judged there.
struct AccessGate: BackendMiddleware {
  let token: String
  let callers: CallerIdentity
  let sessions: PageSessions

  private static let cookieName = "bsc_token"

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    let path = request.uri.path
    if Self.hasSecretOfItsOwn(request) { return try await next(request, context) }
    if let bearer = CallerIdentity.bearer(of: request), RandomText.isEqualInConstantTime(bearer, token) {
      // It gives access and identifies no account.
      var head = request.head
      head.headerFields[.authorization] = nil
      return try await next(Request(head: head, body: request.body), context)
    }
    if try await hasCredentials(request) || hasCookie(request) { return try await next(request, context) }
    if try await sessions.session(of: request) != nil { return try await next(request, context) }
    if request.method == .get, let given = request.uri.queryParameters.get("token"),
      RandomText.isEqualInConstantTime(given, token)
    {
      // `//host` would lead there.
      var headers: HTTPFields = [.location: LocalPath.safe(path), .cacheControl: "no-store"]
      headers[.setCookie] = "\(Self.cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict"
      return Response(status: .seeOther, headers: headers)
    }
    throw BackendFailure(
      .unauthorized, "unauthorized",
      "this server wants its token: as Authorization: Bearer, or in the address as ?token=",
      headers: [.wwwAuthenticate: "Bearer"])
  }

  /// An upload URL, Mux's API, or the owner's way in; also the style of the pages, which is the same everywhere.
  private static func hasSecretOfItsOwn(_ request: Request) -> Bool {
    let path = request.uri.path
    if path.hasPrefix("/video/v1/") || path == "/enter" { return true }
    if request.method == .get, path.hasPrefix("/static/") { return true }
    return [.put, .delete, .options].contains(request.method) && path.hasPrefix("/upload/")
      && path.split(separator: "/").count == 2
  }

  /// The keys of clients are in every copy of an app: they prove nothing.
  private func hasCredentials(_ request: Request) async throws -> Bool {
    guard CallerIdentity.isGiven(in: request) else { return false }
    do {
      return try await callers.caller(of: request) != .anonymous
    } catch is PostgRESTFailure {
      return false
    }
  }

  private func hasCookie(_ request: Request) -> Bool {
    request.headers.filter { $0.name == .cookie }.flatMap { $0.value.split(separator: ";") }.contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return parts.count == 2 && parts[0] == Self.cookieName && RandomText.isEqualInConstantTime(parts[1], token)
    }
  }
}
