import Foundation
import GRDB

/// Queries that change accounts.
extension ServerStore {
  /// Stores codes before they are sent. They replace the user's earlier codes for the same purposes, but wrong guesses of
  /// those still count.
  /// - Parameter newEmail: the account's new address if the codes confirm an address change.
  /// - Returns: the number of seconds until the next code may be sent, or `nil` if the codes were stored.
  func storeCodes(
    _ codes: [OneTimeCode], of user: String, newEmail: String? = nil, secret: String, now: Date
  ) async throws -> Int? {
    try await database.write { db in
      try Self.deleteExpiredCodes(in: db, now: now)
      for code in codes {
        let earlier = try Row.fetchOne(
          db, sql: "SELECT substr(sent_at, 1, 23) AS sent, attempts FROM auth_codes WHERE user_id = ? AND purpose = ?",
          arguments: [user, code.purpose.rawValue])
        guard let earlier, let sent: Date = earlier["sent"], let attempts: Int = earlier["attempts"] else { continue }
        let pause =
          attempts < OneTimeCode.maximumAttempts ? OneTimeCode.pauseSeconds : OneTimeCode.lifetimeSeconds
        let seconds = Int((pause - now.timeIntervalSince(sent)).rounded(.up))
        if seconds > 0 { return seconds }
      }
      for code in codes {
        try db.execute(
          sql: """
            INSERT INTO auth_codes VALUES (?, ?, ?, ?, 0)
            ON CONFLICT (user_id, purpose) DO UPDATE SET digest = excluded.digest, sent_at = excluded.sent_at
            """,
          arguments: [user, code.purpose.rawValue, code.digest(secret: secret), timestampText(now)])
      }
      if let newEmail {
        try db.execute(sql: "UPDATE auth_users SET new_email = ? WHERE id = ?", arguments: [newEmail, user])
      }
      return nil
    }
  }

  enum RedemptionResult: Sendable {
    case account(AuthUser)
    /// An address change still requires the code that was sent to the other address.
    case needsOtherCode
    /// The code is unknown or has expired, or there were too many wrong guesses.
    case invalid
    /// A different account has taken the address in the meantime.
    case addressTaken
  }

  /// Redeems a code. Each code can be redeemed only once.
  /// - Parameters:
  ///   - digests: the code's digest for each possible purpose.
  ///   - address: the account's current or new address. A wrong code counts as a failed attempt for accounts with this
  ///     address.
  func redeemCode(_ digests: [OneTimeCode.Purpose: String], address: String?, now: Date) async throws
    -> RedemptionResult
  {
    try await database.write { db in
      try Self.deleteExpiredCodes(in: db, now: now)
      for (purpose, digest) in digests {
        let user = try String.fetchOne(
          db, sql: "SELECT user_id FROM auth_codes WHERE purpose = ? AND digest = ? AND attempts < ?",
          arguments: [purpose.rawValue, digest, OneTimeCode.maximumAttempts])
        guard let user else { continue }
        try db.execute(
          sql: "DELETE FROM auth_codes WHERE purpose = ? AND digest = ?", arguments: [purpose.rawValue, digest])
        if purpose == .currentEmail || purpose == .newEmail {
          if let unfinished = try Self.changeAddress(of: user, in: db) { return unfinished }
        }
        return try AuthUser.find(user, in: db).map(RedemptionResult.account) ?? .invalid
      }
      for purpose in digests.keys {
        try db.execute(
          sql: """
            UPDATE auth_codes SET attempts = attempts + 1
            WHERE purpose = ?1 AND user_id IN (SELECT id FROM auth_users WHERE email = ?2 OR new_email = ?2)
            """, arguments: [purpose.rawValue, address])
      }
      return .invalid
    }
  }

  private static func deleteExpiredCodes(in db: Database, now: Date) throws {
    try db.execute(
      sql: "DELETE FROM auth_codes WHERE sent_at < ?",
      arguments: [timestampText(now.addingTimeInterval(-OneTimeCode.lifetimeSeconds))])
  }

  /// Changes an account's address once both codes have been redeemed.
  /// - Returns: the reason why the address hasn't changed, or `nil` if it has.
  private static func changeAddress(of user: String, in db: Database) throws -> RedemptionResult? {
    let needsOtherCode = try db.hasRow(
      "SELECT 1 FROM auth_codes WHERE user_id = ? AND purpose IN (?, ?)",
      [user, OneTimeCode.Purpose.currentEmail.rawValue, OneTimeCode.Purpose.newEmail.rawValue])
    if needsOtherCode { return .needsOtherCode }
    let isTaken = try db.hasRow(
      "SELECT 1 FROM auth_users WHERE email = (SELECT new_email FROM auth_users WHERE id = ?1) AND id <> ?1", [user])
    if isTaken { return .addressTaken }
    try db.execute(
      sql: "UPDATE auth_users SET email = coalesce(new_email, email), new_email = NULL WHERE id = ?", arguments: [user])
    return nil
  }

  /// Changes an account's password and metadata. A new password also ends the account's other sessions.
  func updateAccount(
    _ id: String, passwordHash: String?, metadata: String?, session: String
  ) async throws -> AuthUser? {
    try await database.write { db in
      if let passwordHash {
        try db.execute(sql: "UPDATE auth_users SET password_hash = ? WHERE id = ?", arguments: [passwordHash, id])
        try db.execute(sql: "DELETE FROM auth_sessions WHERE user_id = ? AND id <> ?", arguments: [id, session])
      }
      if let metadata {
        try db.execute(sql: "UPDATE auth_users SET raw_user_meta_data = ? WHERE id = ?", arguments: [metadata, id])
      }
      return try AuthUser.find(id, in: db)
    }
  }

  /// Returns the start time of a session.
  func sessionStart(_ id: String) async throws -> Date? {
    try await database.read { db in
      try Date.fetchOne(db, sql: "SELECT substr(created_at, 1, 23) FROM auth_sessions WHERE id = ?", arguments: [id])
    }
  }

  /// Schedules the deletion of an account and ends all of its sessions. If a deletion is already scheduled, its date
  /// doesn't change.
  /// - Returns: the time of the deletion, or `nil` if the account doesn't exist.
  func requestDeletion(of user: String, now: Date) async throws -> String? {
    try await database.write { db in
      guard try db.hasRow("SELECT 1 FROM profiles WHERE id = ?", [user]) else { return nil }
      _ = try RowWriter(db: db, caller: .user(user), now: now).insert(
        ["user_id": user.databaseValue], into: SocialTables.accountDeletions, on: ["user_id"], .ignore)
      try db.execute(sql: "DELETE FROM auth_sessions WHERE user_id = ?", arguments: [user])
      return try String.fetchOne(
        db, sql: "SELECT deletes_at FROM account_deletions WHERE user_id = ?", arguments: [user])
    }
  }
}

/// The migration that adds one-time codes and address changes.
enum AccountMigration {
  static func run(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE auth_users ADD COLUMN new_email TEXT;
        CREATE TABLE auth_codes (
          user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE, purpose TEXT NOT NULL,
          digest TEXT NOT NULL, sent_at TEXT NOT NULL, attempts INTEGER NOT NULL, PRIMARY KEY (user_id, purpose));
        """)
  }
}
