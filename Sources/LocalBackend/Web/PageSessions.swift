import Foundation
import GRDB
import Hummingbird

/// Manages browser sessions, which are rows of `auth_sessions`. A cookie contains the session ID together with this
/// server's HMAC.
struct PageSessions: Sendable {
  let store: ServerStore
  let secret: String
  let now: @Sendable () -> Date

  private static let lifetimeSeconds = 30 * 86_400

  struct Session: Sendable {
    var id: String
    var user: String
  }

  /// Returns the active session from a request's cookie.
  func session(of request: Request) async throws -> Session? {
    guard let value = request.cookies[Self.sessionCookie(request)]?.value else { return nil }
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = UUID(uuidString: String(parts[0]))?.uuidString.lowercased(),
      RandomText.isEqualInConstantTime(proof("page", id), String(parts[1]))
    else { return nil }
    let oldest = timestampText(now().addingTimeInterval(-Double(Self.lifetimeSeconds)))
    let user = try await store.database.read { db in
      try String.fetchOne(
        db, sql: "SELECT user_id FROM auth_sessions WHERE id = ? AND created_at > ?", arguments: [id, oldest])
    }
    return user.map { Session(id: id, user: $0) }
  }

  /// Begins a session for a browser.
  /// - Returns: the value of the `Set-Cookie` header.
  func begin(for user: String, _ request: Request) async throws -> String {
    let id = try await store.beginSession(of: user, now: now())
    return Self.cookie(
      Self.sessionCookie(request), "\(id).\(proof("page", id))", "SameSite=Strict; Max-Age=\(Self.lifetimeSeconds)")
  }

  /// Ends a browser's session.
  /// - Returns: the value of the `Set-Cookie` header, which removes the cookie.
  func end(_ session: Session, _ request: Request) async throws -> String {
    try await store.endSessions(.local, of: session.user, session: session.id)
    return Self.cookie(Self.sessionCookie(request), "", "SameSite=Strict; Max-Age=0")
  }

  // MARK: Forms

  /// Returns the ID of a browser that has no session, or `nil` if the request has no cookie with such an ID.
  func browserID(of request: Request) -> String? {
    guard let value = request.cookies[Self.browserCookie(request)]?.value, value.count == 32,
      value.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    return value
  }

  /// Returns the cookie for a browser that has no session. Browsers also send this cookie when they follow a link from
  /// a different site, so it grants no access.
  /// - Returns: the value of the `Set-Cookie` header.
  func browserCookie(_ browser: String, _ request: Request) -> String {
    Self.cookie(Self.browserCookie(request), browser, "SameSite=Lax")
  }

  /// Returns the token for forms. It proves that a form comes from a page that this session or browser opened.
  func formToken(of holder: String) -> String { proof("form", holder) }

  private func proof(_ purpose: String, _ text: String) -> String {
    RandomText.proof(of: "\(purpose) \(text)", secret: secret, byteCount: 16)
  }

  /// Returns the name of the session cookie. All ports of a host share their cookies, so the name contains the port.
  private static func sessionCookie(_ request: Request) -> String { "bsc_session_\(port(request))" }
  private static func browserCookie(_ request: Request) -> String { "bsc_browser_\(port(request))" }

  private static func port(_ request: Request) -> String {
    let digits = (request.head.authority ?? "").reversed().prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? "80" : String(digits.reversed())
  }

  private static func cookie(_ name: String, _ value: String, _ rules: String) -> String {
    "\(name)=\(value); Path=/; HttpOnly; \(rules)"
  }
}
