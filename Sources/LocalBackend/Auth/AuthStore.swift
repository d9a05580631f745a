import Foundation
import GRDB

/// An account of `auth_users`.
struct AuthUser: SnakeCaseRow {
  var id: String
  var email: String?
  /// That it asked for, and has not proved yet.
  var newEmail: String?
  var passwordHash: String?
  /// JSON object that the person gave at sign-up.
  var rawUserMetaData: String
  var createdAt: String
  var lastSignInAt: String?

  static func find(_ id: String, in db: Database) throws -> AuthUser? {
    try fetchOne(db, sql: "SELECT * FROM auth_users WHERE id = ?", arguments: [id])
  }

  static func find(ofSession id: String, in db: Database) throws -> AuthUser? {
    try fetchOne(
      db, sql: "SELECT u.* FROM auth_users AS u JOIN auth_sessions AS s ON s.user_id = u.id WHERE s.id = ?",
      arguments: [id])
  }
}

/// The queries of accounts and sessions.
extension ServerStore {
  /// Whether there was a sign-up. From then on requests without credentials are anonymous.
  func hasAccounts() async throws -> Bool {
    try await database.read { db in
      try db.hasRow("SELECT 1 FROM auth_users WHERE id <> ?", [Caller.localUserID])
    }
  }

  func account(email: String) async throws -> AuthUser? {
    try await database.read { db in
      try AuthUser.fetchOne(db, sql: "SELECT * FROM auth_users WHERE email = ?", arguments: [email])
    }
  }

  /// The account of a session that was not ended.
  func account(session: String) async throws -> AuthUser? {
    try await database.read { db in
      try AuthUser.find(ofSession: session, in: db)
    }
  }

  /// Makes an account and its profile.
  /// - Parameter name: whatever the person calls themselves; cut to fit.
  /// - Returns: `nil` when the address has an account.
  func makeAccount(
    email: String, passwordHash: String, metadata: String, name: String?, now: Date
  ) async throws -> AuthUser? {
    let id = UUID().uuidString.lowercased()
    let time = timestampText(now)
    return try await database.write { db in
      if try db.hasRow("SELECT 1 FROM auth_users WHERE email = ?", [email]) { return nil }
      try db.execute(
        sql: """
          INSERT INTO auth_users (id, email, password_hash, raw_user_meta_data, created_at) VALUES (?, ?, ?, ?, ?)
          """, arguments: [id, email, passwordHash, metadata, time])
      let shown = name.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(50))) } ?? "Volleyball Player"
      let digits = id.replacing("-", with: "")
      for digits in [digits.prefix(8), digits.prefix(16), digits.suffix(24)] {
        try db.execute(
          sql: """
            INSERT INTO profiles (id, display_name, username, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, arguments: [id, shown, "user_" + digits, time])
        if db.changesCount > 0 { break }
      }
      return try AuthUser.find(id, in: db)
    }
  }

  /// Begins a session; its first refresh token has number 1.
  func beginSession(of user: String, now: Date) async throws -> String {
    let id = UUID().uuidString.lowercased()
    let time = timestampText(now)
    try await database.write { db in
      try db.execute(sql: "INSERT INTO auth_sessions VALUES (?, ?, 1, ?)", arguments: [id, user, time])
      try db.execute(sql: "UPDATE auth_users SET last_sign_in_at = ? WHERE id = ?", arguments: [time, user])
    }
    return id
  }

  enum Renewal: Sendable {
    /// The number of the refresh token that counts now.
    case renewed(AuthUser, number: Int)
    case noSession
    /// An old token came again: the session is ended, because the newer one may be stolen.
    case reused
  }

  func renewSession(_ id: String, number: Int) async throws -> Renewal {
    try await database.write { db in
      let active = try Int.fetchOne(db, sql: "SELECT counter FROM auth_sessions WHERE id = ?", arguments: [id])
      guard let active, let user = try AuthUser.find(ofSession: id, in: db) else { return .noSession }
      switch number {
      case active:
        try db.execute(sql: "UPDATE auth_sessions SET counter = counter + 1 WHERE id = ?", arguments: [id])
        return .renewed(user, number: active + 1)
      // The one before: the client could not save the answer.
      case active - 1: return .renewed(user, number: active)
      default:
        try db.execute(sql: "DELETE FROM auth_sessions WHERE id = ?", arguments: [id])
        return .reused
      }
    }
  }

  enum SignOutScope: String, Sendable {
    case global
    case local
    case others
  }

  func endSessions(_ scope: SignOutScope, of user: String, session: String) async throws {
    let condition =
      switch scope {
      case .global: "user_id = ?1"
      case .local: "user_id = ?1 AND id = ?2"
      case .others: "user_id = ?1 AND id <> ?2"
      }
    try await database.write { db in
      try db.execute(
        sql: "DELETE FROM auth_sessions WHERE \(condition) AND ?2 = ?2", arguments: [user, session])
    }
  }

  /// Deletes accounts whose seven days are over; everything of theirs goes with them.
  func deleteExpiredAccounts(now: Date) async throws {
    let time = timestampText(now)
    try await database.write { db in
      try db.execute(
        sql: "DELETE FROM auth_users WHERE id IN (SELECT user_id FROM account_deletions WHERE deletes_at <= ?)",
        arguments: [time])
      // The built-in user comes back empty.
      try SocialMigration.makeLocalUser(db)
    }
  }
}

/// Refresh tokens: the session, a number that grows with each use, and proof that this server made them. Nothing that
/// could be stolen from the database.
struct RefreshToken: Equatable {
  var session: String
  var number: Int

  func text(secret: String) -> String {
    "\(session.replacing("-", with: "")).\(number).\(proof(secret))"
  }

  init(session: String, number: Int) {
    self.session = session
    self.number = number
  }

  /// `nil` for a text that this server did not make.
  init?(text: String, secret: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 32, parts[0].allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let number = decimal(parts[1])
    else { return nil }
    let digits = Array(parts[0])
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    self.init(session: groups.joined(separator: "-"), number: Int(clamping: number))
    guard RandomText.isEqualInConstantTime(proof(secret), String(parts[2])) else { return nil }
  }

  private func proof(_ secret: String) -> String {
    RandomText.proof(of: "refresh \(session) \(number)", secret: secret, byteCount: 16)
  }
}
