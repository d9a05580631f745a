import Foundation
import Hummingbird

/// The routes `/sign-in` and `/sign-out`, and `/enter` for the owner's sign-in.
struct SignInRoutes: Sendable {
  let server: ServerDependencies
  private let used = UsedSignInKeys()

  private var site: PageSite { server.site }

  func add(to router: Router<BackendContext>) {
    router.get("sign-in") { request, _ in
      let visitor = try await site.visitor(of: request)
      return site.signInPage(request, visitor, next: LocalPath.redirectTarget(request.uri.queryParameters.get("next")))
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
    // The GET request changes nothing, because some programs load a link before the user opens it.
    router.get("enter") { request, _ in
      let visitor = try await site.visitor(of: request)
      let query = request.uri.queryParameters
      return ownerSignInPage(
        query.get("key") ?? "", next: LocalPath.redirectTarget(query.get("next")), request, visitor)
    }
    router.post("enter") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      return try await signInOwner(fields, request, visitor, context.peer)
    }
  }

  // MARK: Accounts

  private func signIn(
    _ fields: [String: String], _ request: Request, _ visitor: PageVisitor
  ) async throws -> Response {
    let next = LocalPath.redirectTarget(fields["next"])
    let reaction = Reaction(fields)
    let email = (fields["email"] ?? "").trimmingCharacters(in: .whitespaces)
    do {
      let user = try await server.auth.account(email: email.lowercased(), password: fields["password"] ?? "")
      // If the reaction fails, the visitor can go back, and the form still has it.
      if let reaction { try await ReactionRoutes(site: site).perform(reaction, for: .user(user.id)) }
      return try await site.beginSession(for: user.id, visitor, request, next: next)
    } catch let failure as AuthFailure {
      if failure.status == .tooManyRequests { throw PageFailure.tooManySignIns }
      return site.signInPage(
        request, visitor, next: next, reaction, email: email, notice: "Wrong email or password.")
    }
  }

  // MARK: The owner

  private func signInOwner(
    _ fields: [String: String], _ request: Request, _ visitor: PageVisitor, _ peer: PeerProcess
  ) async throws -> Response {
    let key = fields["key"] ?? ""
    let next = LocalPath.redirectTarget(fields["next"])
    let now = server.now
    // Other users of the machine can see the link in the browser's command line. Therefore, the connection must come
    // from the server's user.
    guard let known = OwnerSignInKey.read(key, ownerToken: server.ownerToken, now: now),
      !request.isForwarded, await !peer.isOwnedByOtherUser(), used.markUsed(known.name, until: known.end, now: now)
    else { return ownerSignInPage(key, next: next, request, visitor, isRefused: true) }
    return try await site.beginSession(for: Caller.localUserID, visitor, request, next: next)
  }

  private func ownerSignInPage(
    _ key: String, next: String, _ request: Request, _ visitor: PageVisitor, isRefused: Bool = false
  ) -> Response {
    // Hide the name if the visitor has no session.
    var visitor = visitor
    if visitor.session == nil { visitor.person = nil }
    let isValid = !isRefused && OwnerSignInKey.read(key, ownerToken: server.ownerToken, now: server.now) != nil
    let notice = isValid ? nil : "This link has already been used or has expired. To get a new one, run:"
    return site.page(
      "enter", ["title": "Sign in as the owner", "key": key, "next": next, "notice": notice], request, visitor,
      status: isValid ? .ok : .forbidden)
  }
}

extension PageSite {
  /// Begins a session, which replaces the visitor's existing session, if any.
  func beginSession(
    for user: String, _ visitor: PageVisitor, _ request: Request, next: String
  ) async throws -> Response {
    if let session = visitor.session { _ = try await sessions.end(session, request) }
    return Self.redirect(to: next, cookie: try await sessions.begin(for: user, request))
  }

  /// - Parameters:
  ///   - next: the path of the page after the sign-in.
  ///   - reaction: what the server performs after the sign-in.
  func signInPage(
    _ request: Request, _ visitor: PageVisitor, next: String, _ reaction: Reaction? = nil, email: String = "",
    notice: String? = nil
  ) -> Response {
    page(
      "signin",
      [
        "title": "Sign in", "next": next, "email": email, "notice": notice, "prompt": reaction?.prompt,
        "kept": (reaction?.fields ?? []).map { ["field": $0.name, "value": $0.value] },
      ], request, visitor, status: notice == nil ? .ok : .unauthorized)
  }
}
