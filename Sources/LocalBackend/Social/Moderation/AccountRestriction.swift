import GRDB

/// The restriction of an account by moderators. A restricted account can't post highlights, comments and polls, or change
/// the text of a highlight.
enum AccountRestriction {
  /// Returns an SQL expression for the end of an account's restriction, which is null for an account without one.
  /// - Parameter account: an SQL expression for the account's ID.
  static func end(of account: String) -> String {
    """
    (SELECT max(ra.until) FROM moderation_actions AS ra
      WHERE ra.user_id = \(account) AND ra.action = 'restrict' AND ra.until > server_time() AND NOT EXISTS (
        SELECT 1 FROM moderation_actions AS rl
        WHERE rl.user_id = ra.user_id AND rl.action = 'lift' AND rl.created_at > ra.created_at))
    """
  }

  /// The condition that the caller's account is not restricted.
  static let isMissing: RowRules.Condition = { _, viewer in "\(end(of: viewer)) IS NULL" }

  static func end(ofAccount id: String, in db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT \(end(of: "?"))", arguments: [id])
  }
}
