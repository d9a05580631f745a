import ClipModel
import Foundation
import Hummingbird

/// `/auth/v1` for accounts that change: `user` (PUT), `recover`, `verify` and `reauthenticate`, as Supabase's Auth
/// answers; and `/functions/v1/delete-account`. Codes go to `mails.jsonl` in the data folder.
struct AccountRoutes: Sendable {
  let auth: AuthRoutes
  let callers: CallerIdentity
  let mails: MailOutbox

  /// Older sessions change a password with a code only.
  private static let recentSeconds = 86_400.0

  private var store: ServerStore { auth.store }
  private var secret: String { auth.keys.jwtSecret }
  private var now: Date { auth.now() }

  func add(to router: Router<BackendContext>) {
    router.put("auth/v1/user") { request, context in
      let (user, session) = try await auth.session(of: request)
      return try await update(user, session, try await AuthRoutes.body(request, context))
    }
    router.post("auth/v1/recover") { request, context in try await recover(try await AuthRoutes.body(request, context))
    }
    router.post("auth/v1/verify") { request, context in try await verify(try await AuthRoutes.body(request, context)) }
    router.get("auth/v1/reauthenticate") { request, _ in
      let (user, _) = try await auth.session(of: request)
      if let email = user.email { try await send([OneTimeCode(.reauthentication, to: email)], of: user.id) }
      return try Self.nothing()
    }
    router.post("functions/v1/delete-account") { request, _ in try await deleteAccount(request) }
  }

  // MARK: Changes

  private func update(_ user: AuthUser, _ session: String, _ body: JSONValue) async throws -> Response {
    let email = try body["email"]?.string.flatMap { $0.isEmpty ? nil : try AuthRoutes.address($0) }
    let password = body["password"]?.string
    if let password { try AuthRoutes.requireStrong(password) }
    if body["phone"]?.string?.isEmpty == false {
      throw AuthFailure(.badRequest, "phone_provider_disabled", "Unsupported phone provider")
    }
    if let data = body["app_metadata"], data.members != nil {
      throw AuthFailure(.forbidden, "not_admin", "Updating app_metadata requires admin privileges")
    }
    if let email, email != user.email, try await store.account(email: email) != nil { throw Self.emailExists }
    var hash: String?
    if let password {
      try await requireRecentSignIn(user, session, nonce: body["nonce"]?.string ?? "")
      hash = try await auth.hash(of: password, insteadOf: user.passwordHash)
    }
    let metadata = try body["data"].flatMap { try Self.merged($0, into: user.rawUserMetaData) }
    if let email, let current = user.email, email != current {
      try await send(
        [OneTimeCode(.currentEmail, to: current), OneTimeCode(.newEmail, to: email)], of: user.id, newEmail: email)
    }
    let changed = try await store.updateAccount(user.id, passwordHash: hash, metadata: metadata, session: session)
    return try Response.json(UserDocument(changed ?? user))
  }

  /// Within a day of signing in a session proves enough; later a code from `reauthenticate` is needed.
  private func requireRecentSignIn(_ user: AuthUser, _ session: String, nonce: String) async throws {
    if let begun = try await store.beginning(ofSession: session), now.timeIntervalSince(begun) < Self.recentSeconds {
      return
    }
    guard !nonce.isEmpty else {
      throw AuthFailure(.badRequest, "reauthentication_needed", "Password update requires reauthentication")
    }
    let digest = OneTimeCode.digest(.reauthentication, user.email ?? "", nonce, secret: secret)
    guard case .account = try await store.redeemCode([.reauthentication: digest], address: user.email, now: now) else {
      throw AuthFailure(.unprocessableContent, "reauthentication_not_valid", "Nonce has expired or is invalid")
    }
  }

  /// Keys of `data` replace those of the account; null removes one.
  private static func merged(_ data: JSONValue, into metadata: String) throws -> String? {
    guard data.members != nil else { return nil }
    var values = try JSONDecoder().decode([String: MetadataValue].self, from: Data(metadata.utf8))
    for (key, value) in try JSONDecoder().decode([String: MetadataValue].self, from: Data(data.text.utf8)) {
      if case .null = value { values[key] = nil } else { values[key] = value }
    }
    return String(decoding: try JSONEncoder.data(of: values), as: UTF8.self)
  }

  // MARK: Codes

  /// The answer is the same whether or not the address has an account.
  private func recover(_ body: JSONValue) async throws -> Response {
    guard let text = body["email"]?.string, !text.isEmpty else {
      throw AuthFailure(.badRequest, "validation_failed", "Password recovery requires an email")
    }
    let email = try AuthRoutes.address(text)
    if let user = try await store.account(email: email) {
      try await send([OneTimeCode(.recovery, to: email)], of: user.id)
    }
    return try Self.nothing()
  }

  private func send(_ codes: [OneTimeCode], of user: String, newEmail: String? = nil) async throws {
    if let seconds = try await store.storeCodes(codes, of: user, newEmail: newEmail, secret: secret, now: now) {
      throw AuthFailure(
        .tooManyRequests, "over_email_send_rate_limit",
        "For security purposes, you can only request this after \(seconds) seconds.")
    }
    let now = now
    try await mails.append(codes.map { $0.mail(secret: secret, now: now) })
  }

  private func verify(_ body: JSONValue) async throws -> Response {
    let request = try Verification(body)
    switch try await store.redeemCode(request.digests(secret: secret), address: request.address, now: now) {
    case .account(let user): return try await auth.begin(user)
    case .half:
      return try Response.json([
        "msg": "Confirmation link accepted. Please proceed to confirm link sent to the other email", "code": "200",
      ])
    case .addressTaken: throw Self.emailExists
    case .invalid:
      throw AuthFailure(.forbidden, "otp_expired", "Token has expired or is invalid")
    }
  }

  private static let emailExists = AuthFailure(
    .unprocessableContent, "email_exists", "A user with this email address has already been registered")

  private static func nothing() throws -> Response { try Response.json([String: String]()) }

  // MARK: Deletion

  private func deleteAccount(_ request: Request) async throws -> Response {
    struct Answer: Encodable {
      var success = true
      var deletesAt: String
    }
    // A request without a name is the local user's on this machine; that is no proof for this.
    guard CallerIdentity.isGiven(in: request) else {
      throw BackendFailure(.unauthorized, "unauthorized", "an access token is required")
    }
    guard let time = try await store.requestDeletion(of: try await callers.user(of: request), now: now) else {
      throw BackendFailure(.forbidden, "not_allowed", "the account does not exist")
    }
    return try Response.json(Answer(deletesAt: time))
  }
}

/// The body of `verify`: which code, and what it is for.
private struct Verification {
  let address: String?
  private let purposes: [OneTimeCode.Purpose]
  private let token: String
  private let isHash: Bool

  init(_ body: JSONValue) throws(AuthFailure) {
    func text(_ name: String) -> String { body[name]?.string ?? "" }
    func invalid(_ message: String, _ status: HTTPResponse.Status = .badRequest) -> AuthFailure {
      AuthFailure(status, "validation_failed", message)
    }
    switch text("type") {
    case "": throw invalid("Verify requires a verification type")
    // A code by mail of any kind signs in; only these are sent here.
    case "recovery", "magiclink", "email": purposes = [.recovery]
    case "email_change": purposes = [.currentEmail, .newEmail]
    case "signup", "invite", "sms", "phone_change": purposes = []
    default: throw invalid("Invalid email verification type")
    }
    let (digits, hash) = (text("token"), text("token_hash"))
    guard digits.isEmpty != hash.isEmpty else { throw invalid("Verify requires either a token or a token hash") }
    isHash = digits.isEmpty
    token = isHash ? hash : digits
    if isHash {
      guard text("email").isEmpty, text("phone").isEmpty else {
        throw invalid("Only the token_hash and type should be provided")
      }
      address = nil
    } else {
      guard text("email").isEmpty != text("phone").isEmpty else {
        throw invalid("Only an email address or phone number should be provided on verify")
      }
      guard text("phone").isEmpty == false || AuthRoutes.isAddress(text("email")) else {
        throw invalid("Invalid email format", .unprocessableContent)
      }
      address = text("email").lowercased()
    }
  }

  func digests(secret: String) -> [OneTimeCode.Purpose: String] {
    Dictionary(
      uniqueKeysWithValues: purposes.map { purpose in
        (purpose, isHash ? token : OneTimeCode.digest(purpose, address ?? "", token, secret: secret))
      })
  }
}
