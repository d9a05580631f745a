import Foundation
import GRDB
import HTTPTypes

/// A moderator's decision about a highlight, a comment or a profile.
///
/// The consequence is a rule and not a moderator's choice. Of the offenses within 90 days, the first one is a warning,
/// the second one a restriction of 7 days, and each further one a restriction of 30 days.
struct Decision: Sendable {
  let moderator: String
  let action: String
  let targetType: String
  let target: String
  let reason: DatabaseValue
  let now: Date
  /// The ID of the decision's entry in the log. The caller chooses it, so that a decision that is sent again after a lost
  /// response has no second consequence.
  var id: String?
  /// Whether the decision is about reports and flags that wait for one. Another moderator may have decided since the
  /// caller read the queue.
  var isPending = false

  struct Consequence: Sendable {
    var action: String
    /// The end of a restriction.
    var until: String?
  }

  private static let day = 86_400.0

  /// Carries out the decision, records it in the log, and notifies the person concerned. A decision that is in the log
  /// changes nothing. Call it in a transaction.
  func apply(in db: Database) throws -> Consequence {
    if let stored = try storedConsequence(in: db) { return stored }
    guard let owner = try owner(in: db) else { throw Self.missing }
    if owner == moderator {
      throw PostgRESTFailure(.forbidden, "42501", "moderators don't decide about themselves")
    }
    if isPending { try requirePendingReport(in: db) }
    let content = try Self.reportedText(targetType, target, in: db)
    let earlier = try Self.offenseCount(of: owner, in: db, now)
    try requirePossible(against: owner, earlier, hasContent: content != nil, in: db)
    let entry = id ?? ChosenID.new()
    if action == "remove" {
      try removeContent(in: db)
      try record("remove", as: Self.removalID(of: entry), against: owner, until: nil, in: db)
    }
    let consequence = try consequence(for: owner, earlier, in: db)
    try record(consequence.action, as: entry, against: owner, until: consequence.until, in: db)
    try closeReports(in: db)
    if action != "dismiss" {
      let notice = ModerationNotice(
        action: consequence.action, isContentRemoved: action == "remove", targetType: targetType, target: target,
        content: content, reason: reason, until: consequence.until)
      try notice.insert(for: owner, cause: entry.databaseValue, in: db, now: now)
    }
    return consequence
  }

  private static let missing = PostgRESTFailure(.notFound, "PT404", "the content does not exist")

  /// Returns the consequence of a decision that is in the log, or `nil` for a new decision.
  /// - Throws: PT409 if the ID belongs to another decision.
  private func storedConsequence(in db: Database) throws -> Consequence? {
    guard let id,
      let entry = try Row.fetchOne(db, sql: "SELECT * FROM moderation_actions WHERE id = ?", arguments: [id])
    else { return nil }
    let stored = Consequence(action: entry["action"], until: entry["until"])
    let wasRemoval = try db.hasRow("SELECT 1 FROM moderation_actions WHERE id = ?", [Self.removalID(of: id)])
    let isSameAction =
      switch action {
      case "remove": wasRemoval
      // After the first offense, these are the same decision.
      case "warn": !wasRemoval && ["warn", "restrict"].contains(stored.action)
      case "restrict": !wasRemoval && stored.action == "restrict"
      default: stored.action == action
      }
    let given = [
      "moderator_id": moderator.databaseValue, "target_type": targetType.databaseValue,
      "target_id": target.databaseValue, "reason": reason,
    ]
    guard isSameAction, given.allSatisfy({ name, value in entry[name] as DatabaseValue == value }) else {
      throw PostgRESTFailure(.conflict, "PT409", "the ID belongs to another decision")
    }
    return stored
  }

  /// Returns the ID of a removal's entry, which precedes the entry of its consequence.
  private static func removalID(of entry: String) -> String { ChosenID.derived(from: "\(entry)/remove") }

  /// Returns the person whom the decision concerns. Reports identify the owner of deleted content.
  private func owner(in db: Database) throws -> String? {
    let sources = [
      "highlight": "SELECT author_id FROM highlights WHERE id = ?",
      "comment": "SELECT author_id FROM comments WHERE id = ?",
      "user_profile": "SELECT id FROM profiles WHERE id = ?",
    ]
    if let source = sources[targetType], let owner = try String.fetchOne(db, sql: source, arguments: [target]) {
      return owner
    }
    return try String.fetchOne(
      db, sql: "SELECT reported_user_id FROM content_reports WHERE reported_type = ? AND reported_id = ?",
      arguments: [targetType, target])
  }

  private func requirePendingReport(in db: Database) throws {
    let isReported = try db.hasRow(
      "SELECT 1 FROM content_reports WHERE reported_type = ? AND reported_id = ? AND status = 'pending'",
      [targetType, target])
    if isReported { return }
    let isFlagged = try db.hasRow("SELECT 1 FROM account_flags WHERE user_id = ? AND reviewed_at IS NULL", [target])
    guard isFlagged, targetType == "user_profile" else {
      throw PostgRESTFailure(.conflict, "PT409", "no report or flag is pending")
    }
  }

  private func requirePossible(
    against owner: String, _ earlier: Int, hasContent: Bool, in db: Database
  ) throws {
    switch action {
    case "dismiss", "warn": break
    case "lift":
      if try AccountRestriction.end(ofAccount: owner, in: db) == nil {
        throw PostgRESTFailure(.conflict, "PT409", "the account is not restricted")
      }
    case "restrict":
      if earlier == 0 { throw PostgRESTFailure(.conflict, "PT409", "the first offense is a warning") }
    case "remove":
      if !hasContent { throw Self.missing }
    default: throw PostgRESTFailure.checkFailed("moderation_actions_action_check", "moderation_actions")
    }
  }

  private func removeContent(in db: Database) throws {
    let statement =
      switch targetType {
      case "highlight": "DELETE FROM highlights WHERE id = ?"
      case "comment": "DELETE FROM comments WHERE id = ?"
      default:
        """
        UPDATE profiles SET display_name = 'Volleyball Player', bio = NULL, team_name = NULL, avatar_url = NULL
        WHERE id = ?
        """
      }
    try db.execute(sql: statement, arguments: [target])
  }

  private func consequence(for owner: String, _ earlier: Int, in db: Database) throws -> Consequence {
    if ["dismiss", "lift"].contains(action) { return Consequence(action: action) }
    if earlier == 0 { return Consequence(action: "warn") }
    let end = timestampText(now.addingTimeInterval((earlier == 1 ? 7 : 30) * Self.day))
    return Consequence(action: "restrict", until: max(try AccountRestriction.end(ofAccount: owner, in: db) ?? end, end))
  }

  /// Adds an entry to the log.
  private func record(
    _ action: String, as id: String, against owner: String, until: String?, in db: Database
  ) throws {
    let values: [String: DatabaseValue] = [
      "id": id.databaseValue, "moderator_id": moderator.databaseValue, "user_id": owner.databaseValue,
      "action": action.databaseValue, "target_type": targetType.databaseValue, "target_id": target.databaseValue,
      "reason": reason, "until": until.databaseValue,
    ]
    try RowWriter(db: db, caller: .service, now: now).insert(values, into: ModerationTables.actions)
  }

  private func closeReports(in db: Database) throws {
    if action == "lift" { return }
    let time = timestampText(now)
    try db.execute(
      sql: """
        UPDATE content_reports SET status = ?, reviewed_at = ?
        WHERE reported_type = ? AND reported_id = ? AND status = 'pending'
        """, arguments: [action == "dismiss" ? "dismissed" : "action_taken", time, targetType, target])
    guard targetType == "user_profile" else { return }
    try db.execute(
      sql: "UPDATE account_flags SET reviewed_at = ? WHERE user_id = ? AND reviewed_at IS NULL",
      arguments: [time, target])
  }

  // MARK: Facts

  /// Returns what a report is about as text: the caption, the comment, or the profile's names. Returns `nil` if the
  /// content was deleted.
  private static func reportedText(_ type: String, _ id: String, in db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT \(reportedText("?1", "?2"))", arguments: [type, id])
  }

  /// Returns an SQL expression for what a report is about.
  static func reportedText(_ type: String, _ id: String) -> String {
    """
    CASE \(type)
    WHEN 'highlight' THEN (SELECT substr(coalesce(ch.caption, ''), 1, 500) FROM highlights AS ch WHERE ch.id = \(id))
    WHEN 'comment' THEN (SELECT cc.text FROM comments AS cc WHERE cc.id = \(id))
    ELSE (SELECT cp.username || char(10) || cp.display_name || coalesce(char(10) || cp.team_name, '')
      || coalesce(char(10) || cp.bio, '') FROM profiles AS cp WHERE cp.id = \(id)) END
    """
  }

  private static func offenseCount(of account: String, in db: Database, _ now: Date) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT \(offenseCount(of: "?1", since: "?2"))", arguments: [account, offenseStart(now)]) ?? 0
  }

  /// The time after which offenses count.
  static func offenseStart(_ now: Date) -> String { timestampText(now.addingTimeInterval(-90 * day)) }

  /// Returns an SQL expression for the number of an account's offenses.
  static func offenseCount(of account: String, since start: String) -> String {
    """
    (SELECT count(*) FROM moderation_actions AS oa
      WHERE oa.user_id = \(account) AND oa.action IN ('warn', 'restrict') AND oa.created_at > \(start))
    """
  }
}
