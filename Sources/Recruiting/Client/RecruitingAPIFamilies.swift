public import Foundation
internal import RowRequests

/// Families, members and invitations.
extension RecruitingAPI {
  /// The account's families, by name.
  public func families() async throws -> [FamilyUnit] {
    try await rows(
      .rows("list the families", "family_units", [("select", "id,name,created_at"), ("order", "name.asc,id.asc")]))
  }

  /// Creates a family with the account as its first member, and returns its ID. Not sent again after a lost response.
  public func createFamily(named name: String, role: FamilyRole) async throws -> String {
    try await value(
      try .call(
        "create the family", "create_family",
        ["name": try Self.required("name", name, limit: 80), "role": .text(role.rawValue)],
        isRepeatable: false))
  }

  /// Changes the name of a family.
  public func renameFamily(_ id: String, to name: String) async throws -> FamilyUnit {
    try await change(
      "rename the family", in: "family_units", id: id, ["name": try Self.required("name", name, limit: 80)])
  }

  /// The members with their names, parents last.
  public func members(of family: String) async throws -> [FamilyMember] {
    try await rows(try .call("list the members", "family_people", ["family": .text(family)]))
  }

  /// Removes a member, or the account itself.
  public func removeMember(_ user: String, from family: String) async throws {
    try await delete(
      "remove the member", from: "family_members",
      [("select", "user_id"), ("family_unit_id", "eq.\(family)"), ("user_id", "eq.\(user)")])
  }

  /// Creates an invitation. The code is returned only here. Not sent again after a lost response.
  /// - Parameter days: for how long it can be used, from 1 to 30.
  public func invite(
    to family: String, as role: FamilyRole, days: Int
  ) async throws -> (invite: FamilyInvite, code: String) {
    struct Row: Decodable, Sendable {
      let id: String
      let code: String
      let expiresAt: Date
    }
    let operation = "create the invitation"
    let created: [Row] = try await rows(
      try .call(
        operation, "create_family_invite",
        ["family": .text(family), "role": .text(role.rawValue), "valid": .text("\(days) days")],
        isRepeatable: false))
    guard let row = created.first else {
      throw RecruitingError(.unreadableAnswer, ["operation": operation, "reason": "the invitation is missing"])
    }
    return (FamilyInvite(id: row.id, role: role, expiresAt: row.expiresAt), row.code)
  }

  /// The invitations that can still be used.
  public func openInvites(to family: String, now: Date) async throws -> [FamilyInvite] {
    try await rows(
      .rows(
        "list the invitations", "family_invites",
        [
          ("select", "id,role,expires_at"), ("family_unit_id", "eq.\(family)"), ("used_at", "is.null"),
          ("expires_at", "gt.\(RecruitingDate.format(now))"), ("order", "expires_at.asc,id.asc"),
        ]))
  }

  /// Deletes an invitation, so that its code no longer works.
  public func withdrawInvite(_ id: String) async throws {
    try await delete("withdraw the invitation", from: "family_invites", [("select", "id"), ("id", "eq.\(id)")])
  }

  /// Makes the account a member, and returns the family's ID. Not sent again after a lost response.
  /// - Parameter code: as it was typed: with any case, spaces and hyphens.
  public func join(code: String) async throws -> String {
    try await value(
      try .call(
        "join the family", "accept_family_invite", ["code": try Self.required("code", code, limit: 100)],
        isRepeatable: false))
  }
}
