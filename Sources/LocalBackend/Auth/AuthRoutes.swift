import ClipModel
import Foundation
import GRDB
import Hummingbird

/// The routes of `/auth/v1` for accounts with an email address and a password, with Supabase Auth's responses.
/// Addresses count as confirmed, because the server doesn't send email.
struct AuthRoutes: Sendable {
  let store: ServerStore
  let keys: ServerKeys
  let tokens: AccessTokens
  /// The cost parameter of password hashes.
  let rounds: Int
  let now: @Sendable () -> Date
  private let passwords = PasswordVerifier()

  private static let bodyLimit = 64 * 1024

  func add(to router: Router<BackendContext>) {
    router.post("auth/v1/signup") { request, context in try await signUp(Self.body(request, context)) }
    router.post("auth/v1/token") { request, context in
      let body = try await Self.body(request, context)
      switch request.uri.queryParameters.get("grant_type") {
      case "password": return try await signIn(body)
      case "refresh_token": return try await refresh(body)
      default: throw AuthFailure.invalid("unsupported_grant_type")
      }
    }
    router.get("auth/v1/user") { request, _ in try Response.json(await session(of: request).user.document) }
    router.post("auth/v1/logout") { request, _ in
      let (user, session) = try await session(of: request)
      let text = request.uri.queryParameters.get("scope") ?? "global"
      guard let scope = ServerStore.SignOutScope(rawValue: text) else {
        throw AuthFailure.invalid("Unsupported logout scope")
      }
      try await store.endSessions(scope, of: user.id, session: session)
      return Response(status: .noContent)
    }
    router.get("auth/v1/settings") { _, _ in
      try Response.json(
        [
          "external": ["email": true, "phone": false, "apple": false, "google": false, "anonymous_users": false],
          "disable_signup": false, "mailer_autoconfirm": true,
        ] as JSONObject)
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
    let data = body["data"].flatMap { $0.members == nil ? nil : $0 }
    return try await beginSession(try await createAccount(email: email, password: password, data))
  }

  /// Creates an account.
  /// - Parameters:
  ///   - email: the address, in lowercase.
  ///   - data: the person's data, such as `full_name`.
  ///   - birthDate: a value of the type `date`, or `nil` if the person sets it later.
  /// - Throws: `AuthFailure` if the address or the password can't be used, or `PostgRESTFailure` if the person is too
  ///   young.
  func createAccount(
    email: String, password: String, _ data: JSONValue?, birthDate: DatabaseValue? = nil
  ) async throws -> AuthUser {
    _ = try Self.address(email)
    try Self.requireStrongPassword(password)
    guard try await store.account(email: email) == nil else { throw Self.alreadyRegistered }
    let hash = try await hash(of: password)
    let user = try await store.createAccount(
      email: email, passwordHash: hash, metadata: data?.text ?? "{}", name: Self.name(data), birthDate: birthDate,
      now: now())
    guard let user else { throw Self.alreadyRegistered }
    return user
  }

  static let alreadyRegistered = AuthFailure(
    .unprocessableContent, "user_already_exists", "User already registered")

  private func signIn(_ body: JSONValue) async throws -> Response {
    guard let (email, password) = Self.credentials(body) else { throw AuthFailure.invalid("missing email or phone") }
    return try await beginSession(try await account(email: email, password: password))
  }

  /// Returns the account with an email address and a password.
  /// - Parameter email: the address, in lowercase.
  /// - Throws: `AuthFailure`, which doesn't reveal whether the address or the password is wrong.
  func account(email: String, password: String) async throws -> AuthUser {
    let user = try await store.account(email: email)
    // Unknown addresses take the same time to verify, so that a client cannot detect them.
    let hash = user?.passwordHash ?? "scrypt$\(rounds)$8$3$AAAAAAAAAAAAAAAAAAAAAA==$none"
    guard password.utf8.count <= PasswordHash.maximumByteCount,
      try await passwords.run({ try PasswordHash.matches(password, hash) }), let user
    else { throw AuthFailure(.badRequest, "invalid_credentials", "Invalid login credentials") }
    return user
  }

  private func refresh(_ body: JSONValue) async throws -> Response {
    guard let text = body["refresh_token"]?.string else { throw AuthFailure.invalid("refresh_token required") }
    guard let token = RefreshToken(text: text, secret: keys.jwtSecret) else {
      throw AuthFailure(.badRequest, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    }
    switch try await store.renewSession(token.session, number: token.number) {
    case .renewed(let user, let number):
      return try await sessionResponse(user, RefreshToken(session: token.session, number: number))
    case .noSession:
      throw AuthFailure(.badRequest, "session_not_found", "Session from session_id claim in JWT does not exist")
    case .reused:
      throw AuthFailure(.badRequest, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    }
  }

  /// Hashes a new password.
  /// - Parameter old: the hash of the current password.
  /// - Throws: `AuthFailure` if the new password is the same as the current one.
  func hash(of password: String, replacing old: String? = nil) async throws -> String {
    try await passwords.run { [rounds] in
      if let old, try PasswordHash.matches(password, old) {
        throw AuthFailure(
          .unprocessableContent, "same_password", "New password should be different from the old password.")
      }
      return try PasswordHash.make(password, rounds: rounds)
    }
  }

  func beginSession(_ user: AuthUser) async throws -> Response {
    let session = try await store.beginSession(of: user.id, now: now())
    var user = user
    user.lastSignInAt = timestampText(now())
    return try await sessionResponse(user, RefreshToken(session: session, number: 1))
  }

  private func sessionResponse(_ user: AuthUser, _ refresh: RefreshToken) async throws -> Response {
    let now = now()
    let signedInAt = user.lastSignInAt.flatMap { try? Date($0.prefix(19) + "Z", strategy: .iso8601) }
    let access = try await tokens.sign(
      user: user.id, email: user.email, session: refresh.session, signedInAt: signedInAt ?? now, now: now)
    return try Response.json(
      [
        "access_token": access, "token_type": "bearer", "expires_in": AccessTokens.lifetimeSeconds,
        "expires_at": Int64(now.timeIntervalSince1970) + AccessTokens.lifetimeSeconds,
        "refresh_token": refresh.text(secret: keys.jwtSecret), "user": user.document,
      ] as JSONObject)
  }

  /// Returns the account and the session of a request's access token.
  func session(of request: Request) async throws -> (user: AuthUser, session: String) {
    guard let token = CallerIdentity.bearerToken(of: request) else {
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
    let root = try await context.json(
      of: request, limit: bodyLimit,
      excess: AuthFailure(.contentTooLarge, "bad_json", "the body is larger than 64 KiB"))
    guard let root, root.members != nil else {
      throw AuthFailure(.badRequest, "bad_json", "Could not parse request body as JSON")
    }
    return root
  }

  private static func credentials(_ body: JSONValue) -> (email: String, password: String)? {
    guard let email = body["email"]?.string, !email.isEmpty else { return nil }
    return (email.lowercased(), body["password"]?.string ?? "")
  }

  static func isEmailAddress(_ text: String) -> Bool {
    text.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil && text.utf8.count <= 255
  }

  /// Validates an email address and converts it to lowercase.
  static func address(_ text: String) throws(AuthFailure) -> String {
    guard isEmailAddress(text) else { throw .invalid("Unable to validate email address: invalid format") }
    return text.lowercased()
  }

  static func requireStrongPassword(_ password: String) throws(AuthFailure) {
    guard password.count >= PasswordHash.minimumLength else {
      throw AuthFailure(
        .unprocessableContent, "weak_password", "Password should be at least \(PasswordHash.minimumLength) characters.",
        weaknesses: ["length"])
    }
    guard password.utf8.count <= PasswordHash.maximumByteCount else {
      throw .invalid("Password cannot be longer than \(PasswordHash.maximumByteCount) characters")
    }
  }

  /// Returns the person's name from the sign-up data. Identity providers use the keys `full_name` and `name`.
  private static func name(_ data: JSONValue?) -> String? {
    ["full_name", "name"].compactMap { data?[$0]?.string?.trimmingCharacters(in: .whitespacesAndNewlines) }
      .first { !$0.isEmpty }
  }
}

extension BackendContext {
  /// Parses a JSON request body.
  /// - Returns: `nil` if the body isn't valid JSON.
  /// - Throws: `excess` if the body is larger than `limit` bytes.
  func json(of request: Request, limit: Int, excess: some Error) async throws -> JSONValue? {
    let document = JSONReader.read(Array(try await body(of: request, limit: limit, excess: excess).readableBytesView))
    return document.problems.isEmpty ? document.root : nil
  }
}
