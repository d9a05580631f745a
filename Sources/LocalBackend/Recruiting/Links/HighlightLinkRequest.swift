#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// A request to send a highlight to a coach: creates a link, logs the outbound interaction, and sets the coach's last
/// contact, within one transaction. A repeated request changes nothing.
///
/// The sender's program generates the token and the ID, so that a request that is sent again after a lost response finds what
/// the first one did.
struct HighlightLinkRequest: Sendable {
  /// The sender's account ID.
  let user: String
  let id: DatabaseValue
  let token: String?
  let family: DatabaseValue
  let highlight: DatabaseValue
  let coach: DatabaseValue
  let channel: DatabaseValue
  /// The text of the interaction, with the link.
  var message = DatabaseValue.null
  /// When the link expires, in the format of `timestampText`.
  let expiresAt: String?

  static let defaultSeconds = 90.0 * 86_400
  private static let subjectLimit = 200

  /// - Returns: the link's ID.
  func send(in db: Database, now: Date) throws -> DatabaseValue {
    try db.requireMember(user, of: family, as: .athlete)
    guard let token, token.wholeMatch(of: /[A-Za-z0-9_\-]{22,64}/) != nil else {
      throw PostgRESTFailure(.badRequest, "23514", "the token must have 22 to 64 characters of base64url")
    }
    let tokenHash = InvitationCode.sha256(token)
    if let stored = try storedLink(tokenHash, db) {
      guard isSame(stored, tokenHash) else {
        throw PostgRESTFailure(.conflict, "PT409", "the ID or the token belongs to another link")
      }
      return stored["id"]
    }
    if try AccountRestriction.end(ofAccount: user, in: db) != nil {
      throw PostgRESTFailure(.forbidden, "42501", "the account is restricted")
    }
    let expiresAt = try validExpiry(now)
    let (subject, school) = try requireContent(db)
    let writer = RowWriter(db: db, caller: .service, now: now)
    let contact = try writer.insert(
      [
        "family_unit_id": family, "logged_by": user.databaseValue, "type": channel,
        "direction": InteractionDirection.outbound.rawValue.databaseValue, "school_id": school, "coach_id": coach,
        "subject": subject.databaseValue, "content": message,
      ], into: InteractionTables.interactions)
    try writer.insert(
      [
        "id": id, "highlight_id": highlight, "family_unit_id": family, "coach_id": coach,
        "interaction_id": contact?.key ?? .null, "sent_by": user.databaseValue, "channel": channel,
        "token_hash": tokenHash.databaseValue, "expires_at": expiresAt.databaseValue,
      ], into: HighlightLinkTable.links)
    return id
  }

  private func storedLink(_ tokenHash: String, _ db: Database) throws -> Row? {
    try Row.fetchOne(
      db,
      sql: "SELECT * FROM highlight_shares WHERE id = ?1 OR token_hash = ?2 ORDER BY id IS ?1 DESC LIMIT 1",
      arguments: [id, tokenHash])
  }

  private func isSame(_ stored: Row, _ tokenHash: String) -> Bool {
    let given = [
      "id": id, "token_hash": tokenHash.databaseValue, "sent_by": user.databaseValue, "family_unit_id": family,
      "highlight_id": highlight, "coach_id": coach, "channel": channel,
    ]
    return given.allSatisfy { name, value in stored[name] as DatabaseValue == value }
  }

  private func validExpiry(_ now: Date) throws(PostgRESTFailure) -> String {
    guard let expiresAt, expiresAt > timestampText(now),
      let latest = Calendar(identifier: .gregorian).date(byAdding: .year, value: 1, to: now),
      expiresAt <= timestampText(latest)
    else { throw PostgRESTFailure(.badRequest, "23514", "a link expires within a year") }
    return expiresAt
  }

  /// Returns the interaction's subject, and the coach's school.
  private func requireContent(_ db: Database) throws -> (subject: String, school: DatabaseValue) {
    let clip = try Row.fetchOne(
      db, sql: "SELECT caption, is_ready FROM highlights WHERE id = ? AND author_id = ?", arguments: [highlight, user])
    guard let clip else { throw PostgRESTFailure(.notFound, "PT404", "the highlight does not exist") }
    guard clip["is_ready"] as Bool else { throw PostgRESTFailure(.conflict, "PT409", "the video is not ready") }
    let recipient = try Row.fetchOne(
      db, sql: "SELECT school_id FROM coaches WHERE id = ? AND family_unit_id = ?", arguments: [coach, family])
    guard let recipient else { throw PostgRESTFailure(.notFound, "PT404", "the coach does not exist") }
    let caption: String = clip["caption"] ?? ""
    let subject = String(String.UnicodeScalarView(caption.unicodeScalars.prefix(Self.subjectLimit)))
      .trimmingCharacters(in: CharacterSet(charactersIn: " "))
    return (subject.isEmpty ? "Highlight" : subject, recipient["school_id"])
  }
}
#endif
