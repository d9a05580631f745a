import Foundation
import GRDB
import Hummingbird

/// Browser sessions: rows of `auth_sessions` whose ID is stored in a cookie together with this server's HMAC.
struct PageSessions: Sendable {
  let store: ServerStore
  let secret: String
  let now: @Sendable () -> Date

  private static let lifetimeSeconds = 30 * 86_400

  struct Session: Sendable {
    var id: String
    var user: String
  }

  /// The active session in a request's cookie.
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

  /// Begins a session.
  /// - Returns: the value of `Set-Cookie`.
  func begin(for user: String, _ request: Request) async throws -> String {
    let id = try await store.beginSession(of: user, now: now())
    return Self.cookie(
      Self.sessionCookie(request), "\(id).\(proof("page", id))", "SameSite=Strict; Max-Age=\(Self.lifetimeSeconds)")
  }

  /// Ends a session.
  /// - Returns: the value of `Set-Cookie`.
  func end(_ session: Session, _ request: Request) async throws -> String {
    try await store.endSessions(.local, of: session.user, session: session.id)
    return Self.cookie(Self.sessionCookie(request), "", "SameSite=Strict; Max-Age=0")
  }

  // MARK: Forms

  /// The ID of a browser without a session; `nil` if the request has no such cookie.
  func browser(of request: Request) -> String? {
    guard let value = request.cookies[Self.browserCookie(request)]?.value, value.count == 32,
      value.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    return value
  }

  /// The cookie for a browser without a session. The browser also sends it when following links from other sites, so it
  /// doesn't grant access.
  /// - Returns: the value of `Set-Cookie`.
  func browserCookie(_ browser: String, _ request: Request) -> String {
    Self.cookie(Self.browserCookie(request), browser, "SameSite=Lax")
  }

  /// The token in forms, which proves that the form came from a page for this session or browser.
  func formToken(of holder: String) -> String { proof("form", holder) }

  private func proof(_ purpose: String, _ text: String) -> String {
    RandomText.proof(of: "\(purpose) \(text)", secret: secret, byteCount: 16)
  }

  /// Cookies are shared by all ports of a host, so their names contain the port.
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
