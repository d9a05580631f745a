import Foundation
import GRDB
import Social

/// Queries about accounts and sessions.
extension ServerStore {
  /// Whether anyone has signed up. After the first sign-up, requests without credentials are anonymous.
  func hasAccounts() async throws -> Bool {
    try await database.read { db in try db.hasRow("SELECT 1 FROM auth_users WHERE id <> ?", [Caller.localUserID]) }
  }

  func account(email: String) async throws -> AuthUser? {
    try await database.read { db in
      try AuthUser.fetchOne(db, sql: "SELECT * FROM auth_users WHERE email = ?", arguments: [email])
    }
  }

  /// Returns the account that an active session belongs to.
  func account(session: String) async throws -> AuthUser? {
    try await database.read { db in try AuthUser.find(ofSession: session, in: db) }
  }

  /// Creates an account and its profile.
  /// - Parameters:
  ///   - name: the display name, which is truncated if it is too long.
  ///   - birthDate: a value of the type `date`, or `nil` if the person sets it later.
  /// - Returns: `nil` if an account with this address already exists.
  /// - Throws: `PostgRESTFailure` if the person is too young.
  func createAccount(
    email: String, passwordHash: String, metadata: String, name: String?, birthDate: DatabaseValue? = nil, now: Date
  ) async throws -> AuthUser? {
    let id = UUID().uuidString.lowercased()
    let time = timestampText(now)
    return try await database.write { db in
      if try db.hasRow("SELECT 1 FROM auth_users WHERE email = ?", [email]) { return nil }
      try db.execute(
        sql: """
          INSERT INTO auth_users (id, email, password_hash, raw_user_meta_data, created_at) VALUES (?, ?, ?, ?, ?)
          """, arguments: [id, email, passwordHash, metadata, time])
      let shown =
        name.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(SocialLimits.displayNameLength))) }
        ?? "Volleyball Player"
      // Random, because likes and comments contain the account's ID, and the username finds protected accounts.
      let digits = UUID().uuidString.lowercased().replacing("-", with: "")
      for digits in [digits.prefix(8), digits.prefix(16), digits.suffix(24)] {
        try db.execute(
          sql: """
            INSERT INTO profiles (id, display_name, username, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, arguments: [id, shown, "user_" + digits, time])
        if db.changesCount > 0 { break }
      }
      if let birthDate { try AgeRules.setBirthDate(birthDate, of: id, at: time, db) }
      return try AuthUser.find(id, in: db)
    }
  }

  /// Begins a session. Its first refresh token has the number 1.
  func beginSession(of user: String, now: Date) async throws -> String {
    let id = UUID().uuidString.lowercased()
    let time = timestampText(now)
    try await database.write { db in
      try db.execute(sql: "INSERT INTO auth_sessions VALUES (?, ?, 1, ?)", arguments: [id, user, time])
      try db.execute(sql: "UPDATE auth_users SET last_sign_in_at = ? WHERE id = ?", arguments: [time, user])
    }
    return id
  }

  enum RenewalResult: Sendable {
    /// The session was renewed. `number` is the number of the new refresh token.
    case renewed(AuthUser, number: Int)
    case noSession
    /// A client used an old token again. The session was ended, because one of its tokens may have been stolen.
    case reused
  }

  func renewSession(_ id: String, number: Int) async throws -> RenewalResult {
    try await database.write { db in
      let active = try Int.fetchOne(db, sql: "SELECT counter FROM auth_sessions WHERE id = ?", arguments: [id])
      guard let active, let user = try AuthUser.find(ofSession: id, in: db) else { return .noSession }
      switch number {
      case active:
        try db.execute(sql: "UPDATE auth_sessions SET counter = counter + 1 WHERE id = ?", arguments: [id])
        return .renewed(user, number: active + 1)
      // The response with the active token may never have reached the client.
      case active - 1: return .renewed(user, number: active)
      default:
        try db.execute(sql: "DELETE FROM auth_sessions WHERE id = ?", arguments: [id])
        return .reused
      }
    }
  }

  enum SignOutScope: String, Sendable {
    case global, local, others
  }

  func endSessions(_ scope: SignOutScope, of user: String, session: String) async throws {
    let condition =
      switch scope {
      case .global: "?2 = ?2"
      case .local: "id = ?2"
      case .others: "id <> ?2"
      }
    try await database.write { db in
      try db.execute(
        sql: "DELETE FROM auth_sessions WHERE user_id = ?1 AND \(condition)", arguments: [user, session])
    }
  }

  /// Deletes accounts whose grace period has ended, and all of their data.
  func deleteExpiredAccounts(now: Date) async throws {
    let time = timestampText(now)
    try await database.write { db in
      try db.execute(
        sql: "DELETE FROM auth_users WHERE id IN (SELECT user_id FROM account_deletions WHERE deletes_at <= ?)",
        arguments: [time])
      // If the built-in user was deleted, its account is created again without data.
      try SocialMigration.insertLocalUser(db)
    }
  }
}

/// A refresh token, which consists of the session ID, a number that increases with each use, and this server's HMAC.
/// The database doesn't store any usable tokens.
struct RefreshToken: Equatable {
  var session: String
  var number: Int

  func text(secret: String) -> String {
    "\(session.replacing("-", with: "")).\(number).\(proof(secret))"
  }

  private func proof(_ secret: String) -> String {
    RandomText.proof(of: "refresh \(session) \(number)", secret: secret, byteCount: 16)
  }
}

extension RefreshToken {
  /// Parses a refresh token. Returns `nil` if this server didn't create the token.
  init?(text: String, secret: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let id = UUID(digits: String(parts[0])), let number = parseDecimal(parts[1]) else {
      return nil
    }
    self.init(session: id.uuidString.lowercased(), number: Int(clamping: number))
    guard RandomText.isEqualInConstantTime(proof(secret), String(parts[2])) else { return nil }
  }
}
