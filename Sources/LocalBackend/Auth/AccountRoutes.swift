import ClipModel
import Foundation
import Hummingbird

/// The routes that change accounts: `user` (PUT), `recover`, `verify` and `reauthenticate` of `/auth/v1`, with Supabase
/// Auth's responses, and `/functions/v1/delete-account`. The server writes the codes to `mails.jsonl` in the data
/// folder.
struct AccountRoutes: Sendable {
  let auth: AuthRoutes
  let callers: CallerIdentity
  let mails: MailOutbox

  /// The maximum age of a sign-in in seconds. After this time, changing the password requires a code.
  private static let recentSeconds = 86_400.0

  private var store: ServerStore { auth.store }
  private var secret: String { auth.keys.jwtSecret }
  private var now: Date { auth.now() }

  func add(to router: Router<BackendContext>) {
    router.put("auth/v1/user") { request, context in
      let (user, session) = try await auth.session(of: request)
      return try await update(user, session, try await AuthRoutes.body(request, context))
    }
    router.post("auth/v1/recover") { request, context in try await recover(AuthRoutes.body(request, context)) }
    router.post("auth/v1/verify") { request, context in try await verify(AuthRoutes.body(request, context)) }
    router.get("auth/v1/reauthenticate") { request, _ in
      let (user, _) = try await auth.session(of: request)
      if let email = user.email { try await send([OneTimeCode(.reauthentication, to: email)], of: user.id) }
      return try Self.emptyResponse()
    }
    router.post("functions/v1/delete-account") { request, _ in try await deleteAccount(request) }
  }

  // MARK: Changes

  private func update(_ user: AuthUser, _ session: String, _ body: JSONValue) async throws -> Response {
    let email = try body["email"]?.string.flatMap { $0.isEmpty ? nil : try AuthRoutes.address($0) }
    let password = body["password"]?.string
    if let password { try AuthRoutes.requireStrongPassword(password) }
    if body["phone"]?.string?.isEmpty == false {
      throw AuthFailure(.badRequest, "phone_provider_disabled", "Unsupported phone provider")
    }
    if body["app_metadata"]?.members != nil {
      throw AuthFailure(.forbidden, "not_admin", "Updating app_metadata requires admin privileges")
    }
    if let email, email != user.email, try await store.account(email: email) != nil { throw Self.emailExists }
    var hash: String?
    if let password {
      try await requireRecentSignIn(user, session, nonce: body["nonce"]?.string ?? "")
      hash = try await auth.hash(of: password, replacing: user.passwordHash)
    }
    let metadata = body["data"].flatMap { Self.mergeMetadata($0, into: user.metadata) }
    if let email, let current = user.email, email != current {
      try await send(
        [OneTimeCode(.currentEmail, to: current), OneTimeCode(.newEmail, to: email)], of: user.id, newEmail: email)
    }
    let changed = try await store.updateAccount(user.id, passwordHash: hash, metadata: metadata, session: session)
    return try Response.json((changed ?? user).document)
  }

  /// Requires either a sign-in within the last day or a code from `reauthenticate`.
  private func requireRecentSignIn(_ user: AuthUser, _ session: String, nonce: String) async throws {
    if let begun = try await store.sessionStart(session), now.timeIntervalSince(begun) < Self.recentSeconds { return }
    guard !nonce.isEmpty else {
      throw AuthFailure(.badRequest, "reauthentication_needed", "Password update requires reauthentication")
    }
    let digest = OneTimeCode.digest(.reauthentication, user.email ?? "", nonce, secret: secret)
    guard case .account = try await store.redeemCode([.reauthentication: digest], address: user.email, now: now) else {
      throw AuthFailure(.unprocessableContent, "reauthentication_not_valid", "Nonce has expired or is invalid")
    }
  }

  /// Merges the keys of `data` into the account's metadata. Keys with a null value are removed.
  private static func mergeMetadata(_ data: JSONValue, into metadata: JSONValue) -> String? {
    guard let changes = data.members else { return nil }
    let kept = (metadata.members ?? []).filter { data[$0.key] == nil }
    return JSONValue(.object(kept + changes.filter { $0.value.kind != .null }), at: 0).text
  }

  // MARK: Codes

  /// Sends a recovery code. The response doesn't reveal whether an account with this address exists, so a request during
  /// the pause has the same response, too.
  private func recover(_ body: JSONValue) async throws -> Response {
    guard let text = body["email"]?.string, !text.isEmpty else {
      throw AuthFailure.invalid("Password recovery requires an email")
    }
    let email = try AuthRoutes.address(text)
    if let user = try await store.account(email: email) {
      _ = try await sendOrWait([OneTimeCode(.recovery, to: email)], of: user.id)
    }
    return try Self.emptyResponse()
  }

  private func send(_ codes: [OneTimeCode], of user: String, newEmail: String? = nil) async throws {
    if let seconds = try await sendOrWait(codes, of: user, newEmail: newEmail) {
      throw AuthFailure(
        .tooManyRequests, "over_email_send_rate_limit",
        "For security purposes, you can only request this after \(seconds) seconds.")
    }
  }

  /// Sends codes, or returns the number of seconds until they may be sent.
  private func sendOrWait(_ codes: [OneTimeCode], of user: String, newEmail: String? = nil) async throws -> Int? {
    let now = now
    if let seconds = try await store.storeCodes(codes, of: user, newEmail: newEmail, secret: secret, now: now) {
      return seconds
    }
    try await mails.append(codes.map { $0.mail(secret: secret, now: now) })
    return nil
  }

  private func verify(_ body: JSONValue) async throws -> Response {
    let code = try SubmittedCode(body, secret: secret)
    switch try await store.redeemCode(code.digests, address: code.address, now: now) {
    case .account(let user): return try await auth.beginSession(user)
    case .needsOtherCode:
      return try Response.json([
        "msg": "Confirmation link accepted. Please proceed to confirm link sent to the other email", "code": "200",
      ])
    case .addressTaken: throw Self.emailExists
    case .invalid: throw AuthFailure(.forbidden, "otp_expired", "Token has expired or is invalid")
    }
  }

  private static let emailExists = AuthFailure(
    .unprocessableContent, "email_exists", "A user with this email address has already been registered")

  private static func emptyResponse() throws -> Response { try Response.json([String: String]()) }

  // MARK: Deletion

  private func deleteAccount(_ request: Request) async throws -> Response {
    // A local request without credentials acts as the built-in user, who must not delete accounts.
    guard CallerIdentity.hasCredentials(request) else {
      throw BackendFailure(.unauthorized, "unauthorized", "an access token is required")
    }
    guard let time = try await store.requestDeletion(of: try await callers.user(of: request), now: now) else {
      throw BackendFailure(.forbidden, "not_allowed", "the account does not exist")
    }
    return try Response.json(["success": true, "deletes_at": time] as JSONObject)
  }
}

/// The code from a `verify` request, with its digest for each possible purpose.
private struct SubmittedCode {
  let address: String?
  let digests: [OneTimeCode.Purpose: String]

  /// The purposes of the codes for each verification type. This server sends no codes for types with an empty list.
  private static let purposes: [String: [OneTimeCode.Purpose]] = [
    "recovery": [.recovery], "magiclink": [.recovery], "email": [.recovery],
    "email_change": [.currentEmail, .newEmail], "signup": [], "invite": [], "sms": [], "phone_change": [],
  ]

  init(_ body: JSONValue, secret: String) throws(AuthFailure) {
    func text(_ name: String) -> String { body[name]?.string ?? "" }
    guard !text("type").isEmpty else { throw .invalid("Verify requires a verification type") }
    guard let purposes = Self.purposes[text("type")] else { throw .invalid("Invalid email verification type") }
    let (token, hash, email, phone) = (text("token"), text("token_hash"), text("email"), text("phone"))
    guard token.isEmpty != hash.isEmpty else { throw .invalid("Verify requires either a token or a token hash") }
    if token.isEmpty {
      guard email.isEmpty, phone.isEmpty else {
        throw .invalid("Only the token_hash and type should be provided")
      }
      address = nil
    } else {
      guard email.isEmpty != phone.isEmpty else {
        throw .invalid("Only an email address or phone number should be provided on verify")
      }
      guard !phone.isEmpty || AuthRoutes.isEmailAddress(email) else {
        throw .invalid("Invalid email format", .unprocessableContent)
      }
      address = email.lowercased()
    }
    var digests: [OneTimeCode.Purpose: String] = [:]
    for purpose in purposes {
      digests[purpose] = address.map { OneTimeCode.digest(purpose, $0, token, secret: secret) } ?? hash
    }
    self.digests = digests
  }
}
