import GRDB

extension ServerModule {
  /// The module that finds a profile by its username.
  static let profileNames = ServerModule(
    name: "profile names",
    functions: [
      RPCFunction(name: "find_profile", arguments: ["name"], answer: .rows(ProfileNames.table, ProfileNames.find))
    ])
}

/// Finds the profile with a complete username, for links and requests to follow. Requests for tables don't list
/// protected accounts.
enum ProfileNames {
  static let table = {
    var table = SocialTables.profiles
    table.rules.select = { row, viewer in RowRules.canSeeProfile("\(row).id", viewer) }
    return table
  }()

  fileprivate static func find(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    _ = try call.user()
    let name = try call.value("name", .text)
    return RowStore.Restriction(conditions: { statement, alias in
      ["lower(\(alias).username) = lower(\(statement.bind(name)))"]
    })
  }
}

extension RowRules {
  /// Returns a condition that is true if the caller can read a profile and its follows: a protected one only if the caller
  /// follows it, it follows the caller, or it has asked to follow the caller. A request of the caller opens nothing, because
  /// anyone can ask.
  /// - Parameter profile: an SQL expression for the profile's ID.
  static func canListProfile(_ profile: String, _ viewer: String) -> String {
    """
    (\(canSeeProfile(profile, viewer)) AND (
      NOT \(isProtected(profile, from: viewer))
      OR EXISTS (SELECT 1 FROM follows AS nf WHERE nf.follower_id = \(profile) AND nf.following_id = \(viewer))
      OR EXISTS (
        SELECT 1 FROM follow_requests AS nr WHERE nr.requester_id = \(profile) AND nr.target_id = \(viewer))))
    """
  }
}
