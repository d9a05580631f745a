import Foundation

/// A profile as `/rest/v1` gives it to the one who asks.
struct Person: Decodable, Sendable {
  var id: String
  var displayName: String
  var username: String
  var teamName: String?
  var bio: String?
  var followersCount: Int
  var followingCount: Int
  var highlightsCount: Int
  var privacyLevel: String

  /// Its page.
  var page: String { "/u/\(LocalPath.encoded(username))" }

  /// A letter in place of a picture: pictures of people lie on other servers.
  var initial: String {
    String(displayName.first { $0.isLetter || $0.isNumber || $0.isSymbol } ?? username.first ?? "?")
  }

  /// One of six colours, always the same one.
  var tint: Int { id.utf8.reduce(0) { ($0 * 31 + Int($1)) % 6 } }
}

/// Reads profiles and who follows whom, by the rows' own functions and rules.
struct PeopleReader: Sendable {
  let rows: RowStore

  static let columns = """
    id,display_name,username,team_name,bio,followers_count,following_count,highlights_count,privacy_level
    """

  /// - Parameter name: an id, or a name in whatever case.
  /// - Returns: `nil` when there is no such person that the asker may see.
  func person(_ name: String, for caller: Caller) async throws -> Person? {
    var query = try RowQuery("select=\(Self.columns)&limit=1")
    if let id = UUID(uuidString: name) {
      query.filters = [Self.equals("id", id.uuidString.lowercased())]
    } else {
      // Names have underscores, which stand for any letter in patterns.
      let pattern = name.map { "\\\($0)" }.joined()
      query.filters = [.comparison(column: "username", isNegated: false, .like(pattern, ignoresCase: true))]
    }
    let people: [Person] = try await rows.decoded(rows.table("profiles"), query, caller)
    return people.first
  }

  enum Relation: Sendable {
    case none
    case asked
    case follows
  }

  /// The asker's relation to a person.
  func relation(to person: Person, of user: String, for caller: Caller) async throws -> Relation {
    struct Row: Decodable { var id: String }
    for (table, columns, relation) in [
      ("follows", ("follower_id", "following_id"), Relation.follows),
      ("follow_requests", ("requester_id", "target_id"), .asked),
    ] {
      var query = try RowQuery("select=id&limit=1")
      query.filters = [Self.equals(columns.0, user), Self.equals(columns.1, person.id)]
      let found: [Row] = try await rows.decoded(rows.table(table), query, caller)
      if !found.isEmpty { return relation }
    }
    return .none
  }

  static func equals(_ column: String, _ value: String) -> RowFilter {
    .comparison(column: column, isNegated: false, .compare(.eq, value))
  }
}
