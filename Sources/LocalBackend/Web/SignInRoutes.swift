import Foundation
import Hummingbird

/// `/sign-in`, `/sign-out` and `/enter`, the address that lets the owner in.
struct SignInRoutes: Sendable {
  let server: ServerDependencies
  private let used = UsedKeys()

  private var site: PageSite { server.site }

  func add(to router: Router<BackendContext>) {
    router.get("sign-in") { request, _ in
      let visitor = try await site.visitor(of: request)
      return signInPage(request, visitor, next: LocalPath.safe(request.uri.queryParameters.get("next")))
    }
    router.post("sign-in") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      return try await signIn(fields, request, visitor)
    }
    router.post("sign-out") { request, context in
      let (visitor, _) = try await site.form(request, context)
      guard let session = visitor.session else { return PageSite.redirect(to: "/") }
      return PageSite.redirect(to: "/", cookie: try await site.sessions.end(session, request))
    }
    // Looking at the address changes nothing: programs look at addresses before people open them.
    router.get("enter") { request, _ in
      let visitor = try await site.visitor(of: request)
      let query = request.uri.queryParameters
      return enterPage(query.get("key") ?? "", next: LocalPath.safe(query.get("next")), request, visitor)
    }
    router.post("enter") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      return try await enter(fields, request, visitor, context.peer)
    }
  }

  // MARK: Accounts

  private func signIn(
    _ fields: [String: String], _ request: Request, _ visitor: PageVisitor
  ) async throws -> Response {
    let next = LocalPath.safe(fields["next"])
    let email = (fields["email"] ?? "").trimmingCharacters(in: .whitespaces)
    do {
      let user = try await server.auth.account(email: email.lowercased(), password: fields["password"] ?? "")
      // The earlier session is over.
      if let session = visitor.session { _ = try await site.sessions.end(session, request) }
      return PageSite.redirect(to: next, cookie: try await site.sessions.begin(for: user.id, request))
    } catch let failure as AuthFailure {
      if failure.status == .tooManyRequests { throw PageFailure.crowded }
      return signInPage(
        request, visitor, next: next, email: email, notice: "Email and password do not belong together.")
    }
  }

  private func signInPage(
    _ request: Request, _ visitor: PageVisitor, next: String, email: String = "", notice: String? = nil
  ) -> Response {
    var values: [String: Any] = ["title": "Sign in", "next": next, "email": email]
    if let notice { values["notice"] = notice }
    return site.page("signin", values, request, visitor, status: notice == nil ? .ok : .unauthorized)
  }

  // MARK: The owner

  private func enter(
    _ fields: [String: String], _ request: Request, _ visitor: PageVisitor, _ peer: ConnectedProcess
  ) async throws -> Response {
    let key = fields["key"] ?? ""
    let next = LocalPath.safe(fields["next"])
    let now = server.now
    // The address stands on the command line of a browser, where other users read it: also where a token opens the door
    // to other machines.
    guard let known = EntranceKey.read(key, ownerToken: server.ownerToken, now: now),
      await !peer.isStranger(), used.use(known.name, until: known.end, now: now)
    else { return enterPage(key, next: next, request, visitor, isRefused: true) }
    if let session = visitor.session { _ = try await site.sessions.end(session, request) }
    return PageSite.redirect(to: next, cookie: try await site.sessions.begin(for: Caller.localUserID, request))
  }

  private func enterPage(
    _ key: String, next: String, _ request: Request, _ visitor: PageVisitor, isRefused: Bool = false
  ) -> Response {
    // Visitors without a session see no name.
    var visitor = visitor
    if visitor.session == nil { visitor.person = nil }
    var values: [String: Any] = ["title": "Come in", "key": key, "next": next]
    let counts = !isRefused && EntranceKey.read(key, ownerToken: server.ownerToken, now: server.now) != nil
    if !counts { values["notice"] = "This address was used, or is older than five minutes. Ask for a new one:" }
    return site.page("enter", values, request, visitor, status: counts ? .ok : .forbidden)
  }
}
