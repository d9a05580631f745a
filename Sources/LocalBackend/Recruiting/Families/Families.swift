#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The operations of an account on families, within one transaction.
struct Families {
  /// The account's ID.
  let user: String
  let db: Database
  let now: Date

  private static let familiesPerAccount = 10
  private static let membersPerFamily = 20
  private static let openInvitations = 20
  private static let validSeconds = 60.0...(30 * 86_400)

  private var writer: RowWriter { RowWriter(db: db, caller: .service, now: now) }

  private static let otherForm = PostgRESTFailure(
    .conflict, "PT409", "this form was sent before, with other values")

  /// Creates a family with the account as its first member, or does nothing if the same form was sent before.
  /// - Parameter family: the ID, which a form chooses.
  /// - Returns: the family's ID.
  func create(
    _ family: String = ChosenID.new(), named name: DatabaseValue, as role: DatabaseValue
  ) throws -> String {
    let stored = try Row.fetchOne(
      db,
      sql: """
        SELECT f.name, m.role FROM family_units AS f
        LEFT JOIN family_members AS m ON m.family_unit_id = f.id AND m.user_id = ? WHERE f.id = ?
        """, arguments: [user, family])
    if let stored {
      guard stored["name"] as DatabaseValue == name, stored["role"] as DatabaseValue == role else {
        throw Self.otherForm
      }
      return family
    }
    try requireRoomForAccount()
    try writer.insert(["id": family.databaseValue, "name": name], into: FamilyTables.units)
    try join(family, as: role)
    return family
  }

  /// An invitation with its code, which is stored only as a hash.
  struct Invitation: Encodable, Sendable {
    var id: String
    var code: String
    var expiresAt: String
  }

  /// Creates an invitation.
  /// - Parameters:
  ///   - seconds: how long the invitation is valid. `nil` is rejected.
  ///   - id: the ID, which a form chooses, so that a form that is sent twice creates one invitation.
  /// - Throws: PT409 if there is an invitation with this ID. Its code is not known anymore.
  func invite(
    to family: DatabaseValue, as role: DatabaseValue, validFor seconds: Double?, id: String = ChosenID.new()
  ) throws -> Invitation {
    guard try mayInvite(user.databaseValue, to: family, as: role) else {
      throw PostgRESTFailure(.forbidden, "42501", "the member may not invite to this role")
    }
    guard let seconds, Self.validSeconds.contains(seconds) else {
      throw PostgRESTFailure(.badRequest, "23514", "an invitation is valid for at most 30 days")
    }
    if try db.hasRow("SELECT 1 FROM family_invites WHERE id = ?", [id]) {
      throw PostgRESTFailure(.conflict, "PT409", "this invitation exists already, and its code is shown once")
    }
    let open = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM family_invites WHERE family_unit_id = ? AND used_at IS NULL AND expires_at > ?",
      arguments: [family, timestampText(now)])
    if open ?? 0 >= Self.openInvitations {
      throw PostgRESTFailure(.conflict, "PT409", "a family has at most \(Self.openInvitations) open invitations")
    }
    let invitation = Invitation(
      id: id, code: InvitationCode.make(), expiresAt: timestampText(now.addingTimeInterval(seconds)))
    try writer.insert(
      [
        "id": invitation.id.databaseValue, "family_unit_id": family, "role": role,
        "invited_by": user.databaseValue, "expires_at": invitation.expiresAt.databaseValue,
      ], into: FamilyTables.invitations)
    try db.execute(
      sql: "INSERT INTO family_invite_codes VALUES (?, ?)",
      arguments: [invitation.id, InvitationCode.hash(invitation.code)])
    return invitation
  }

  /// Makes the account a member. A code works once.
  /// - Returns: the family's ID.
  func accept(_ code: String?) throws -> String {
    let found = try code.flatMap { code in
      try Row.fetchOne(
        db,
        sql: """
          SELECT i.* FROM family_invites AS i JOIN family_invite_codes AS c ON c.invite_id = i.id WHERE c.code_hash = ?
          """, arguments: [InvitationCode.hash(code)])
    }
    guard let found else { throw PostgRESTFailure(.notFound, "PT404", "the invitation does not exist") }
    let family: String = found["family_unit_id"]
    try requireValid(found)
    if try db.hasRow("SELECT 1 FROM family_members WHERE family_unit_id = ? AND user_id = ?", [family, user]) {
      throw PostgRESTFailure(.conflict, "PT409", "the account is a member already")
    }
    try requireRoomForAccount()
    if try count("family_unit_id", family) >= Self.membersPerFamily {
      throw PostgRESTFailure(.conflict, "PT409", "a family has at most \(Self.membersPerFamily) members")
    }
    try join(family, as: found["role"])
    try db.execute(
      sql: "UPDATE family_invites SET used_at = ? WHERE id = ?", arguments: [timestampText(now), found["id"] as String])
    return family
  }

  private func requireValid(_ invitation: Row) throws {
    let usedAt: String? = invitation["used_at"]
    let expiresAt: String = invitation["expires_at"]
    if usedAt != nil { throw PostgRESTFailure(.gone, "PT410", "the invitation was used") }
    if expiresAt <= timestampText(now) { throw PostgRESTFailure(.gone, "PT410", "the invitation has expired") }
    let mayInvite = try mayInvite(
      invitation["invited_by"], to: invitation["family_unit_id"], as: invitation["role"])
    if !mayInvite {
      throw PostgRESTFailure(.gone, "PT410", "the inviting member may no longer invite to this role")
    }
  }

  /// Whether a member may invite to a role now. A parent sees the interactions of all athletes, so an athlete invites a
  /// parent only as the single member.
  private func mayInvite(_ inviter: DatabaseValue, to family: DatabaseValue, as role: DatabaseValue) throws -> Bool {
    try db.hasRow(
      """
      SELECT 1 FROM family_members AS m WHERE m.family_unit_id = ?1 AND m.user_id = ?2 AND (
        m.role = 'parent' OR ?3 = 'parent' AND NOT EXISTS (
          SELECT 1 FROM family_members AS o WHERE o.family_unit_id = ?1 AND o.user_id <> ?2))
      """, [family, inviter, role])
  }

  private func join(_ family: String, as role: DatabaseValue) throws {
    try writer.insert(
      ["family_unit_id": family.databaseValue, "user_id": user.databaseValue, "role": role], into: FamilyTables.members)
  }

  private func requireRoomForAccount() throws {
    if try count("user_id", user) >= Self.familiesPerAccount {
      throw PostgRESTFailure(
        .conflict, "PT409", "an account belongs to at most \(Self.familiesPerAccount) families")
    }
  }

  private func count(_ column: String, _ id: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM family_members WHERE \(column) = ?", arguments: [id]) ?? 0
  }
}
#endif
