#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The page `/family`: creating and joining families, members and invitations.
struct FamilyPages: Sendable {
  let site: RecruitingSite

  private var server: ServerDependencies { site.server }

  func add(to router: Router<BackendContext>) {
    router.get("family") { request, _ in
      let visitor = try await server.site.visitor(of: request)
      guard visitor.caller.userID != nil else { return RecruitingSite.signIn(request) }
      return try await page(visitor, request.uri.queryParameters.get("family"), request)
    }
    router.post("family/create") { request, context in try await create(request, context) }
    router.post("family/join") { request, context in try await join(request, context) }
    router.post("family/invite") { request, context in try await invite(request, context) }
    router.post("family/rename") { request, context in
      let (member, fields) = try await site.form(request, context)
      let name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      return try await handled(member.visitor, member.family.id, request) {
        try await member.rows.update("family_units", member.family.id, ["name": name.databaseValue])
        return PageSite.redirect(to: member.path("/family"))
      }
    }
    router.post("family/withdraw") { request, context in
      let (member, fields) = try await site.form(request, context)
      let id = try ReactionRoutes.identifier(fields["invite"] ?? "")
      try await member.rows.delete("family_invites", ["id": id, "family_unit_id": member.family.id])
      return PageSite.redirect(to: member.path("/family"))
    }
    router.post("family/remove") { request, context in
      let (member, fields) = try await site.form(request, context)
      let id = try ReactionRoutes.identifier(fields["member"] ?? "")
      try await member.rows.delete("family_members", ["user_id": id, "family_unit_id": member.family.id])
      return PageSite.redirect(to: id == member.user ? "/family" : member.path("/family"))
    }
  }

  // MARK: Reading

  private struct Invitation: Decodable, Sendable {
    var id: String
    var role: FamilyRole
    var invitedBy: String
    var expiresAt: Date
    var usedAt: Date?
  }

  private func page(
    _ visitor: PageVisitor, _ family: String?, _ request: Request, notice: String? = nil,
    unsentName: String = "", invitation: (role: FamilyRole, made: Families.Invitation)? = nil
  ) async throws -> Response {
    let status: HTTPResponse.Status = notice == nil ? .ok : .unprocessableContent
    guard let member = try await site.member(visitor, family, request) else {
      return server.site.page(
        "family",
        [
          "title": "Recruiting", "heading": "Recruiting", "isRecruiting": true, "inFamily": false, "notice": notice,
          "unsentName": unsentName, "newFamily": ChosenID.new(), "zoneName": RecruitingSite.zone(of: request).name,
          "method": request.method.rawValue,
        ], request, visitor, status: status)
    }
    var values = try await memberValues(member)
    values["notice"] = notice
    values["unsentName"] = unsentName
    // A form that is sent twice creates one family, or one invitation.
    values["newFamily"] = ChosenID.new()
    values["newInvite"] = ChosenID.new()
    if let invitation {
      let end = RecruitingDate.parse(invitation.made.expiresAt) ?? member.now
      values["invitation"] = [
        "invitedRole": invitation.role == .parent ? "a parent" : "an athlete",
        "code": Self.grouped(invitation.made.code), "expires": member.zone.label(end),
        "expiresISO": RecruitingDate.format(end),
      ]
    }
    return site.page("family", .family, values, member, status: status)
  }

  private func memberValues(_ member: FamilyVisitor) async throws -> [String: Any?] {
    let people = try await member.people()
    let invitations: [Invitation] = try await member.rows.all(
      "family_invites", "select=id,role,invited_by,expires_at,used_at&order=expires_at,id", [member.inFamily])
    let open = invitations.filter { $0.usedAt == nil && $0.expiresAt > member.now }
    // A parent sees the interactions of all athletes, so an athlete invites a parent only as the single member.
    let roles = member.role == .parent ? FamilyRole.allCases : people.count == 1 ? [.parent] : []
    return [
      "title": member.family.name, "heading": member.family.name, "familyName": member.family.name, "inFamily": true,
      "members": people.map { person in
        [
          "name": person.displayName, "memberRole": person.role.label, "memberID": person.userId,
          "isMe": person.userId == member.user, "isLast": people.count == 1,
          "isLastParent": people.count > 1 && person.role == .parent && people.count { $0.role == .parent } == 1,
          "mayRemove": member.role == .parent && person.userId != member.user,
        ] as [String: Any]
      },
      "mayInvite": !roles.isEmpty, "inviteRoles": roles.map { ["value": $0.rawValue, "label": $0.label] },
      "hasInvites": !open.isEmpty,
      "invites": open.map { invitation in
        [
          "invite": invitation.id, "inviteRole": invitation.role.label,
          "expires": member.zone.label(invitation.expiresAt),
          "expiresISO": RecruitingDate.format(invitation.expiresAt),
          "mayWithdraw": member.role == .parent || invitation.invitedBy == member.user,
        ] as [String: Any]
      },
    ]
  }

  /// A code in groups of four characters, which are easier to type.
  private static func grouped(_ code: String) -> String {
    stride(from: 0, to: code.count, by: 4).map { String(code.dropFirst($0).prefix(4)) }.joined(separator: "-")
  }

  // MARK: Writing

  private func create(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields) = try await server.site.form(request, context)
    let user = try visitor.user()
    let name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    return try await handled(visitor, nil, request, unsentName: name) {
      let now = server.now
      let id = try await server.store.database.write { db in
        try Families(user: user, db: db, now: now).create(
          ChosenID.field(fields["id"]), named: name.databaseValue,
          as: (fields["role"] ?? FamilyRole.parent.rawValue).databaseValue)
      }
      return PageSite.redirect(to: "/family?family=\(id)")
    }
  }

  private func join(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields) = try await server.site.form(request, context)
    _ = try visitor.user()
    return try await handled(visitor, nil, request) {
      let rows = RecruitingRows(server: server, caller: visitor.caller)
      let id = try JSONDecoder().decode(
        String.self, from: try await rows.call("accept_family_invite", ["code": fields["code"] ?? ""]))
      return PageSite.redirect(to: "/family?family=\(id)")
    }
  }

  /// Shows the code of a new invitation. The response is not a redirect, because the code is stored only as a hash.
  private func invite(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (member, fields) = try await site.form(request, context)
    guard let role = FamilyRole(rawValue: fields["role"] ?? "") else { throw PageFailure.foreignForm }
    let days = fields["days"].flatMap { Int($0) } ?? 7
    return try await handled(member.visitor, member.family.id, request) {
      let invitation = try await server.store.database.write { db in
        try Families(user: member.user, db: db, now: member.now).invite(
          to: member.family.id.databaseValue, as: role.rawValue.databaseValue,
          validFor: Double(min(max(days, 1), 30)) * 86_400, id: ChosenID.field(fields["id"]))
      }
      return try await page(member.visitor, member.family.id, request, invitation: (role, invitation))
    }
  }

  /// Shows the page with the reason if the database rejects a change.
  private func handled(
    _ visitor: PageVisitor, _ family: String?, _ request: Request, unsentName: String = "",
    _ change: () async throws -> Response
  ) async throws -> Response {
    do {
      return try await change()
    } catch let failure as PostgRESTFailure {
      guard let notice = Self.notice(failure) else { throw failure }
      return try await page(visitor, family, request, notice: notice, unsentName: unsentName)
    }
  }

  private static func notice(_ failure: PostgRESTFailure) -> String? {
    switch failure.code {
    case "23514": "A name has 1 to 80 characters."
    case "PT404": "This invitation code does not exist. Check the code."
    case "PT409", "PT410", "42501": RecruitingPageTexts.sentence(failure.message)
    default: nil
    }
  }
}
#endif
