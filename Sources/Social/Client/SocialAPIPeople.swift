public import ClipModel
public import Foundation
import RowRequests

/// Profiles, relations, search and suggestions.
extension SocialAPI {
  public func profile(_ id: UUID) async throws -> Profile? { try await profiles([id]).first }

  public func profile(named username: String) async throws -> Profile? {
    let name = username.hasPrefix("@") ? String(username.dropFirst()) : username
    guard !name.isEmpty else { return nil }
    let found: [Profile] = try await sendAndDecode(
      .call("read the profile", "find_profile", ["name": .text(name)]))
    return found.first
  }

  public func profiles(_ ids: [UUID]) async throws -> [Profile] {
    guard !ids.isEmpty else { return [] }
    let list = ids.map(\.rowText).joined(separator: ",")
    return try await sendAndDecode(.rows("read the profile", "profiles", [("select", "*"), ("id", "in.(\(list))")]))
  }

  public func changeProfile(_ change: ProfileChange) async throws -> Profile {
    let operation = "change the profile"
    if let name = change.displayName {
      try SocialLimits.check(name, limit: SocialLimits.displayNameLength, operation: operation)
    }
    let limits = [(change.bio, SocialLimits.bioLength), (change.teamName, SocialLimits.teamNameLength)]
    for case (let text?, let limit) in limits where !text.isEmpty {
      try SocialLimits.check(text, limit: limit, operation: operation)
    }
    let rows: [Profile] = try await sendAndDecode(
      .rows(
        operation, "profiles", [("select", "*"), ("id", "eq.\(try await me.rowText)")], method: .patch,
        headers: ["Prefer": "return=representation"], body: try RowRequest.encodeJSON(change)))
    guard let row = rows.first else { throw SocialError.notFound(operation: operation) }
    return row
  }

  // MARK: Pictures

  public func storeAvatar(_ picture: StillPicture) async throws -> String {
    guard picture.bytes.count <= SocialLimits.avatarByteCount else {
      throw SocialError.pictureTooLarge(byteCount: picture.bytes.count, limit: SocialLimits.avatarByteCount)
    }
    let file = try await avatarFile
    let headers = ["Content-Type": picture.format.rawValue, "x-upsert": "true"]
    try await send(
      RowRequest(
        operation: "store the picture", service: .storage, method: .post, path: "object/\(file)", headers: headers,
        body: Data(picture.bytes)))
    return "\(RowRequest.Service.storage.rawValue)/object/public/\(file)"
  }

  public func deleteAvatar() async throws {
    let body = try RowRequest.encodeJSON(["prefixes": ["\(try await me.rowText)/avatar"]])
    try await send(
      RowRequest(
        operation: "delete the picture", service: .storage, method: .delete, path: "object/avatars", body: body))
  }

  private var avatarFile: String {
    get async throws { "avatars/\(try await me.rowText)/avatar" }
  }

  // MARK: Follows

  public func followState(of profile: UUID) async throws -> FollowState {
    let account = try await me.rowText
    struct Row: Decodable {}
    for (relation, state) in [(Relation.follow, FollowState.following), (.request, .requested)] {
      let rows: [Row] = try await sendAndDecode(
        .rows(
          "read the relation", relation.table,
          [("select", "id"), (relation.own, "eq.\(account)"), (relation.other, "eq.\(profile.rowText)")]))
      if !rows.isEmpty { return state }
    }
    return .none
  }

  public func people(_ list: FollowList, of profile: UUID, limit: Int, offset: Int) async throws -> [HiddenPerson] {
    let (own, other) = (Relation.follow.own, Relation.follow.other)
    let (listed, fixed) = list == .followers ? (own, other) : (other, own)
    return try await hiddenPeople(
      "read the \(list.rawValue)", Relation.follow.table, listed,
      [(fixed, "eq.\(profile.rowText)"), ("limit", "\(limit)"), ("offset", "\(offset)")])
  }

  public func followRequests() async throws -> [FollowRequest] {
    try await sendAndDecode(
      .rows(
        "read the follow requests", "follow_requests",
        [
          ("select", "*,requester:profiles!follow_requests_requester_id_fkey(*)"),
          ("target_id", "eq.\(try await me.rowText)"), ("order", "created_at.desc,id.desc"),
        ]))
  }

  public func acceptFollowRequest(of requester: UUID) async throws {
    struct Row: Decodable {}
    do {
      try await send(.call("accept the follow request", "accept_follow_request", ["requester": .id(requester)]))
    } catch SocialError.notFound(let operation) {
      // An earlier attempt, whose response was lost, may have accepted the request.
      let follow: [Row] = try await sendAndDecode(
        .rows(
          operation, Relation.follow.table,
          [
            ("select", "id"), (Relation.follow.own, "eq.\(requester.rowText)"),
            (Relation.follow.other, "eq.\(try await me.rowText)"),
          ]))
      if follow.isEmpty { throw SocialError.notFound(operation: operation) }
    }
  }

  public func refuseFollowRequest(of requester: UUID) async throws {
    try await delete(
      "refuse the follow request", from: "follow_requests",
      where: [("requester_id", "eq.\(requester.rowText)"), ("target_id", "eq.\(try await me.rowText)")])
  }

  public func removeFollower(_ profile: UUID) async throws {
    try await delete(
      "remove the follower", from: "follows",
      where: [("follower_id", "eq.\(profile.rowText)"), ("following_id", "eq.\(try await me.rowText)")])
  }

  // MARK: Blocks and mutes

  public func setBlock(of profile: UUID, isOn: Bool) async throws {
    try await setRelation(.block, to: profile, isOn: isOn, operation: "block the person")
  }

  public func setMute(of profile: UUID, isOn: Bool) async throws {
    try await setRelation(.mute, to: profile, isOn: isOn, operation: "mute the person")
  }

  func setRelation(_ relation: Relation, to profile: UUID, isOn: Bool, operation: String) async throws {
    try await setRow(
      operation, in: relation.table, [(relation.own, try await me.rowText), (relation.other, profile.rowText)],
      isOn: isOn)
  }

  public func blockedPeople() async throws -> [HiddenPerson] {
    try await sendAndDecode(.call("read the blocked people", "blocked_people"))
  }

  public func mutedPeople() async throws -> [HiddenPerson] {
    try await hiddenPeople(
      "read the muted people", Relation.mute.table, Relation.mute.other,
      [(Relation.mute.own, "eq.\(try await me.rowText)")])
  }

  /// Returns the people in a column of a table of relations, newest relation first.
  private func hiddenPeople(
    _ operation: String, _ table: String, _ column: String, _ query: [(String, String)]
  ) async throws -> [HiddenPerson] {
    let rows: [RelatedPerson] = try await sendAndDecode(
      .rows(
        operation, table,
        [
          ("select", "id:\(column),created_at,person:profiles!\(table)_\(column)_fkey(*)"),
          ("order", "created_at.desc,id.desc"),
        ] + query))
    return rows.map {
      HiddenPerson(
        id: $0.id, username: $0.person?.username, displayName: $0.person?.displayName, createdAt: $0.createdAt)
    }
  }

  // MARK: Discovery

  public func searchPeople(_ query: String, limit: Int) async throws -> [Profile] {
    try await search("search_people", query, limit)
  }

  public func searchTags(_ query: String, limit: Int) async throws -> [SearchLabel] {
    try await search("search_tags", query, limit)
  }

  public func searchTeams(_ query: String, limit: Int) async throws -> [SearchLabel] {
    try await search("search_teams", query, limit)
  }

  private func search<Row: Decodable>(_ function: String, _ query: String, _ limit: Int) async throws -> [Row] {
    try SocialLimits.checkQuery(query)
    return try await sendAndDecode(.call("search", function, ["query": .text(query), "max_rows": .number(limit)]))
  }

  public func followSuggestions(limit: Int) async throws -> [Profile] {
    try await sendAndDecode(.call("read the suggestions", "follow_suggestions", ["max_rows": .number(limit)]))
  }
}

/// A table whose rows relate an account to another person, with the columns of their IDs.
struct Relation {
  var table: String
  var own: String
  var other: String

  static let follow = Relation(table: "follows", own: "follower_id", other: "following_id")
  static let request = Relation(table: "follow_requests", own: "requester_id", other: "target_id")
  static let block = Relation(table: "user_blocks", own: "blocker_id", other: "blocked_id")
  static let mute = Relation(table: "user_mutes", own: "muter_id", other: "muted_id")
}

/// A row of a relation with the other person's profile, if it's visible.
private struct RelatedPerson: Decodable, Sendable {
  var id: UUID
  var createdAt: String
  var person: Profile?

  enum CodingKeys: String, CodingKey {
    case id, person
    case createdAt = "created_at"
  }
}
