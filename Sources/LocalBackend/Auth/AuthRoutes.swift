import ClipModel
import Foundation
import Hummingbird

/// `/auth/v1`: accounts with address and password, as Supabase's Auth answers. Nothing is mailed: an account counts at
/// once.
struct AuthRoutes: Sendable {
  let store: ServerStore
  let keys: ServerKeys
  let tokens: AccessTokens
  /// The cost of a password.
  let rounds: Int
  let now: @Sendable () -> Date
  private let passwords = PasswordVerifier()

  private static let bodyLimit = 64 * 1024

  func add(to router: Router<BackendContext>) {
    router.post("auth/v1/signup") { request, context in try await signUp(try await Self.body(request, context)) }
    router.post("auth/v1/token") { request, context in
      let body = try await Self.body(request, context)
      switch request.uri.queryParameters.get("grant_type") {
      case "password": return try await signIn(body)
      case "refresh_token": return try await refresh(body)
      default: throw AuthFailure(.badRequest, "validation_failed", "unsupported_grant_type")
      }
    }
    router.get("auth/v1/user") { request, _ in
      let (user, _) = try await session(of: request)
      return try Response.json(UserDocument(user))
    }
    router.post("auth/v1/logout") { request, _ in
      let (user, session) = try await session(of: request)
      let text = request.uri.queryParameters.get("scope") ?? "global"
      guard let scope = ServerStore.SignOutScope(rawValue: text) else {
        throw AuthFailure(.badRequest, "validation_failed", "Unsupported logout scope")
      }
      try await store.endSessions(scope, of: user.id, session: session)
      return Response(status: .noContent)
    }
    router.get("auth/v1/settings") { _, _ in
      struct Settings: Encodable {
        var external = ["email": true, "phone": false, "apple": false, "google": false, "anonymous_users": false]
        var disableSignup = false
        var mailerAutoconfirm = true
      }
      return try Response.json(Settings())
    }
    router.get("auth/v1/health") { _, _ in
      try Response.json(["name": "bsc local backend", "version": LocalServer.version])
    }
  }

  // MARK: Requests

  private func signUp(_ body: JSONValue) async throws -> Response {
    guard let (email, password) = Self.credentials(body) else {
      throw AuthFailure(.unprocessableContent, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    }
    _ = try Self.address(email)
    try Self.requireStrong(password)
    guard try await store.account(email: email) == nil else { throw Self.alreadyRegistered }
    let data = body["data"].flatMap { $0.members == nil ? nil : $0 }
    let hash = try await hash(of: password)
    guard
      let user = try await store.makeAccount(
        email: email, passwordHash: hash, metadata: data?.text ?? "{}", name: Self.name(data), now: now())
    else { throw Self.alreadyRegistered }
    return try await begin(user)
  }

  private static let alreadyRegistered = AuthFailure(
    .unprocessableContent, "user_already_exists", "User already registered")

  private func signIn(_ body: JSONValue) async throws -> Response {
    guard let (email, password) = Self.credentials(body) else {
      throw AuthFailure(.badRequest, "validation_failed", "missing email or phone")
    }
    return try await begin(try await account(email: email, password: password))
  }

  /// The account that a password belongs to.
  /// - Parameter email: lower case.
  /// - Throws: `AuthFailure`, whichever of the two is wrong.
  func account(email: String, password: String) async throws -> AuthUser {
    let user = try await store.account(email: email)
    // As long for an address that has no account.
    let hash = user?.passwordHash ?? "scrypt$\(rounds)$8$3$AAAAAAAAAAAAAAAAAAAAAA==$none"
    guard password.utf8.count <= PasswordHash.longestBytes,
      try await passwords.run({ try PasswordHash.matches(password, hash) }), let user
    else { throw AuthFailure(.badRequest, "invalid_credentials", "Invalid login credentials") }
    return user
  }

  private func refresh(_ body: JSONValue) async throws -> Response {
    guard let text = body["refresh_token"]?.string else {
      throw AuthFailure(.badRequest, "validation_failed", "refresh_token required")
    }
    guard let token = RefreshToken(text: text, secret: keys.jwtSecret) else {
      throw AuthFailure(.badRequest, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    }
    switch try await store.renewSession(token.session, number: token.number) {
    case .renewed(let user, let number):
      return try await answer(user, RefreshToken(session: token.session, number: number))
    case .noSession:
      throw AuthFailure(.badRequest, "session_not_found", "Session from session_id claim in JWT does not exist")
    case .reused:
      throw AuthFailure(.badRequest, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    }
  }

  /// The hash of a new password.
  /// - Parameter old: the hash that it takes the place of.
  /// - Throws: `AuthFailure` when the password stays the same.
  func hash(of password: String, insteadOf old: String? = nil) async throws -> String {
    try await passwords.run { [rounds] in
      if let old, try PasswordHash.matches(password, old) {
        throw AuthFailure(
          .unprocessableContent, "same_password", "New password should be different from the old password.")
      }
      return try PasswordHash.make(password, rounds: rounds)
    }
  }

  func begin(_ user: AuthUser) async throws -> Response {
    let session = try await store.beginSession(of: user.id, now: now())
    var user = user
    user.lastSignInAt = timestampText(now())
    return try await answer(user, RefreshToken(session: session, number: 1))
  }

  private func answer(_ user: AuthUser, _ refresh: RefreshToken) async throws -> Response {
    let now = now()
    let signedInAt = user.lastSignInAt.flatMap { try? Date($0.prefix(19) + "Z", strategy: .iso8601) }
    let access = try await tokens.sign(
      user: user.id, email: user.email, session: refresh.session, signedInAt: signedInAt ?? now, now: now)
    return try Response.json(
      SessionDocument(
        accessToken: access, expiresAt: Int64(now.timeIntervalSince1970) + AccessTokens.lifetimeSeconds,
        refreshToken: refresh.text(secret: keys.jwtSecret), user: UserDocument(user)))
  }

  /// The account of a request's access token, and its session.
  func session(of request: Request) async throws -> (AuthUser, String) {
    guard let token = CallerIdentity.bearer(of: request) else {
      throw AuthFailure(.unauthorized, "no_authorization", "This endpoint requires a valid Bearer token")
    }
    let payload: AccessTokens.Payload
    do {
      payload = try await tokens.verify(token, now: now())
    } catch {
      throw AuthFailure(.forbidden, "bad_jwt", "invalid JWT: \(error)")
    }
    guard let session = payload.sessionID, let user = try await store.account(session: session) else {
      throw AuthFailure(.forbidden, "session_not_found", "Session from session_id claim in JWT does not exist")
    }
    return (user, session)
  }

  // MARK: Bodies

  static func body(_ request: Request, _ context: BackendContext) async throws -> JSONValue {
    let bytes = try await context.body(
      of: request, limit: bodyLimit,
      excess: AuthFailure(.contentTooLarge, "bad_json", "the body is larger than 64 KiB"))
    let document = JSONReader.read(Array(bytes.readableBytesView))
    guard let root = document.root, root.members != nil, document.problems.isEmpty else {
      throw AuthFailure(.badRequest, "bad_json", "Could not parse request body as JSON")
    }
    return root
  }

  private static func credentials(_ body: JSONValue) -> (email: String, password: String)? {
    guard let email = body["email"]?.string, !email.isEmpty else { return nil }
    return (email.lowercased(), body["password"]?.string ?? "")
  }

  static func isAddress(_ text: String) -> Bool {
    text.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil && text.utf8.count <= 255
  }

  /// An email address, in lower case.
  static func address(_ text: String) throws(AuthFailure) -> String {
    guard isAddress(text) else {
      throw AuthFailure(.badRequest, "validation_failed", "Unable to validate email address: invalid format")
    }
    return text.lowercased()
  }

  static func requireStrong(_ password: String) throws(AuthFailure) {
    guard password.count >= PasswordHash.shortest else {
      throw AuthFailure(
        .unprocessableContent, "weak_password", "Password should be at least \(PasswordHash.shortest) characters.",
        weaknesses: ["length"])
    }
    guard password.utf8.count <= PasswordHash.longestBytes else {
      throw AuthFailure(
        .badRequest, "validation_failed", "Password cannot be longer than \(PasswordHash.longestBytes) characters")
    }
  }

  /// What a provider calls the person.
  private static func name(_ data: JSONValue?) -> String? {
    for key in ["full_name", "name"] {
      if let name = data?[key]?.string?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty { return name }
    }
    return nil
  }
}
