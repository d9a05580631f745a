#if Recruiting
import GRDB
import Hummingbird

extension RPCFunction {
  static let families = [
    RPCFunction(
      name: "create_family", arguments: ["name", "role"], isReadOnly: false, answer: .response(createFamily)),
    RPCFunction(
      name: "create_family_invite", arguments: ["family", "role", "valid"], isReadOnly: false,
      answer: .response(createFamilyInvite)),
    RPCFunction(
      name: "accept_family_invite", arguments: ["code"], isReadOnly: false, answer: .response(acceptFamilyInvite)),
    RPCFunction(name: "family_people", arguments: ["family"], answer: .rows(familyPeopleTable, familyPeople)),
  ]

  private static func createFamily(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let name = try call.value("name", .text)
    let role = try call.value("role", .text, default: "parent".databaseValue)
    let now = call.rows.now()
    return try Response.json(
      try await call.rows.store.database.write { db in
        try Families(user: user, db: db, now: now).create(named: name, as: role)
      })
  }

  private static func createFamilyInvite(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let family = try call.value("family", .uuid)
    let role = try call.value("role", .text)
    let valid = String.fromDatabaseValue(try call.value("valid", .text, default: "7 days".databaseValue))
    let seconds: Double? = if let valid { try IntervalText.seconds(valid) } else { nil }
    let now = call.rows.now()
    let invitation = try await call.rows.store.database.write { db in
      try Families(user: user, db: db, now: now).invite(to: family, as: role, validFor: seconds)
    }
    return try Response.json([invitation])
  }

  private static func acceptFamilyInvite(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let code = String.fromDatabaseValue(try call.value("code", .text))
    let now = call.rows.now()
    return try Response.json(
      try await call.rows.store.database.write { db in try Families(user: user, db: db, now: now).accept(code) })
  }

  private static let familyPeopleTable = TableSchema.result(
    "family_people",
    [
      SocialTables.column("user_id", .uuid), SocialTables.column("role", .text),
      SocialTables.column("display_name", .text), SocialTables.column("username", .text), SocialTables.createdAt,
    ])

  /// Selects the members with their names, which members see even if the profile is private.
  private static func familyPeople(_ call: FunctionCall) async throws -> RowStore.Restriction {
    let viewer = Caller.user(try call.user()).sql
    let family = try call.value("family", .uuid)
    return RowStore.Restriction(
      source: { statement in
        """
        SELECT m.user_id, m.role, p.display_name, p.username, m.created_at
        FROM family_members AS m JOIN profiles AS p ON p.id = m.user_id
        WHERE m.family_unit_id = \(statement.bind(family)) AND \(RowRules.isInFamily()("m", viewer))
        """
      }, order: { _, alias in "ORDER BY \(alias).role, \(alias).display_name, \(alias).user_id" })
  }
}
#endif
