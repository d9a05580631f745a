import Foundation
import Social

/// A profile as `/rest/v1` returns it for the visitor.
struct Person: Decodable, Sendable {
  var id: String
  var displayName: String
  var username: String
  var teamName: String?
  var bio: String?
  var avatarUrl: String?
  var followersCount: Int
  var followingCount: Int
  var highlightsCount: Int
  var privacyLevel: String

  /// The path of the person's profile page.
  var page: String { "/u/\(LocalPath.percentEncoded(username))" }

  /// A letter to show if there is no picture.
  var initial: String {
    String(displayName.first { $0.isLetter || $0.isNumber || $0.isSymbol } ?? username.first ?? "?")
  }

  /// The index of one of six avatar colors, derived from the ID.
  var tint: Int { id.utf8.reduce(0) { ($0 * 31 + Int($1)) % 6 } }

  /// The template values for the author of a highlight or comment.
  var values: [String: Any] { avatarValues.merging(["page": page, "name": displayName]) { $1 } }

  /// The values for the template `avatar`. Each has a value, so that templates don't use one of the enclosing page.
  var avatarValues: [String: Any] {
    ["initial": initial, "tint": tint, "hasPicture": picture != nil, "picture": picture ?? ""]
  }
}

/// Reads profiles and follow relations that the row rules let the visitor see.
struct PeopleReader: Sendable {
  let rows: RowStore

  static let columns = """
    id,display_name,username,team_name,bio,avatar_url,followers_count,following_count,highlights_count,privacy_level
    """

  /// Returns a person's profile.
  /// - Parameter name: the person's ID or username. Usernames are case-insensitive.
  /// - Returns: `nil` if the person doesn't exist or the visitor can't see the profile.
  func person(_ name: String, for caller: Caller) async throws -> Person? {
    var query = try RowQuery("select=\(Self.columns)&limit=1")
    let id = UUID(uuidString: name)
    // Only the complete username finds protected accounts, because likes and comments contain the IDs.
    let table = caller.userID == nil || id != nil ? SocialTables.profiles : ProfileNames.table
    if let id {
      query.filters = [.equals("id", id.uuidString.lowercased())]
    } else {
      // Escape the name, because an underscore is a wildcard in patterns.
      let pattern = name.map { "\\\($0)" }.joined()
      query.filters = [.comparison(column: "username", isNegated: false, .like(pattern, ignoresCase: true))]
    }
    let people: [Person] = try await rows.decodeRows(table, query, caller)
    return people.first
  }

  /// Returns the people who match a search.
  func matching(_ query: String, limit: Int, offset: Int, for caller: Caller) async throws -> [Person] {
    try await rows.decodeRows(
      SocialTables.profiles, RowQuery("select=\(Self.columns)"), caller,
      .matchingPeople(query, for: caller, limit: limit, offset: offset))
  }

  /// Returns people whom the visitor may want to follow.
  func suggestions(limit: Int, for caller: Caller) async throws -> [Person] {
    guard let user = caller.userID else { return [] }
    return try await rows.decodeRows(
      SocialTables.profiles, RowQuery("select=\(Self.columns)"), caller, .followSuggestions(for: user, limit: limit))
  }

  /// A person in a list of follows. `person` is `nil` if the visitor can't see the profile.
  struct Listed: Decodable, Sendable {
    var id: String
    var person: Person?
  }

  /// Returns people who follow a person, or whom a person follows, newest follow first.
  func people(
    _ list: FollowList, of person: Person, limit: Int, offset: Int, for caller: Caller
  ) async throws -> [Listed] {
    let (follower, followed) = ("follower_id", "following_id")
    let (listed, fixed) = list == .followers ? (follower, followed) : (followed, follower)
    var query = try RowQuery(
      """
      select=id:\(listed),person:profiles!follows_\(listed)_fkey(\(Self.columns))&order=created_at.desc,id.desc\
      &limit=\(limit)&offset=\(offset)
      """)
    query.filters = [.equals(fixed, person.id)]
    return try await rows.decodeRows(rows.table("follows"), query, caller)
  }

  /// Returns the values for the template `people`.
  /// - Parameter path: the path of the page, to which a follow button returns.
  func values(
    of people: [Person], for caller: Caller, returningTo path: String
  ) async throws -> [[String: Any]] {
    let related = try await relatedPeople(among: people, for: caller)
    return people.map { person in
      let values: [String: Any?] = [
        "handle": person.username, "team": person.teamName, "personID": person.id,
        "canFollow": caller.userID != nil && person.id != caller.userID && !related.contains(person.id),
        "followLabel": "Follow \(person.displayName)", "back": path,
      ]
      return person.values.merging(values.compactMapValues(\.self)) { $1 }
    }
  }

  /// Returns the people whom the visitor follows or has asked to follow.
  private func relatedPeople(among people: [Person], for caller: Caller) async throws -> Set<String> {
    struct Row: Decodable {
      var id: String
    }
    guard let user = caller.userID, !people.isEmpty else { return [] }
    var related: Set<String> = []
    for (table, own, other) in [
      ("follows", "follower_id", "following_id"), ("follow_requests", "requester_id", "target_id"),
    ] {
      var query = try RowQuery("select=id:\(other)")
      query.filters = [
        .equals(own, user), .comparison(column: other, isNegated: false, .isOneOf(people.map(\.id))),
      ]
      let found: [Row] = try await rows.decodeRows(rows.table(table), query, caller)
      related.formUnion(found.map(\.id))
    }
    return related
  }

  enum Relation: Sendable {
    case none, requested, follows
  }

  /// Returns the visitor's relation to a person.
  func relation(to person: Person, of user: String, for caller: Caller) async throws -> Relation {
    struct Row: Decodable { var id: String }
    for (table, columns, relation) in [
      ("follows", ("follower_id", "following_id"), Relation.follows),
      ("follow_requests", ("requester_id", "target_id"), .requested),
    ] {
      var query = try RowQuery("select=id&limit=1")
      query.filters = [.equals(columns.0, user), .equals(columns.1, person.id)]
      let found: [Row] = try await rows.decodeRows(rows.table(table), query, caller)
      if !found.isEmpty { return relation }
    }
    return .none
  }
}
