import Foundation
import GRDB
import Hummingbird
import Social

/// The page `/u/{name or id}`, which shows a profile and the person's highlights, and the lists of the person's follows.
struct ProfileRoutes: Sendable {
  let site: PageSite

  /// The number of highlights per page, which is a multiple of the three columns.
  private static let pageSize = 30
  private static let peopleCount = 50

  func add(to router: Router<BackendContext>) {
    router.get("u/:name") { request, context in
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      return try await profile(name, request)
    }
    for list in FollowList.allCases {
      router.get("u/:name/\(list.rawValue)") { request, context in
        let name = try context.parameters.require("name").removingPercentEncoding ?? ""
        return try await people(list, of: name, request)
      }
    }
  }

  private func people(_ list: FollowList, of name: String, _ request: Request) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    let reader = PeopleReader(rows: site.rows)
    guard let person = try await reader.person(name, for: visitor.caller) else { throw PageFailure.notFound }
    let skipped = request.skippedRowCount
    // One more shows whether there is a next page.
    let found = try await reader.people(
      list, of: person, limit: Self.peopleCount + 1, offset: skipped, for: visitor.caller)
    let shown = found.prefix(Self.peopleCount)
    let path = "\(person.page)/\(list.rawValue)"
    // The last person of the page was removed.
    if shown.isEmpty, skipped > 0 { return PageSite.redirect(to: path) }
    let here = skipped > 0 ? "\(path)?skip=\(skipped)" : path
    let end = list == .followers ? (action: "remove-follower", word: "Remove") : (action: "unfollow", word: "Unfollow")
    let mayEnd = person.id == visitor.caller.userID
    let heading = list == .followers ? "Followers" : "Following"
    let hidden = shown.filter { $0.person == nil }
    let people = try await reader.values(
      of: shown.compactMap(\.person), for: visitor.caller, returningTo: here
    ).map { $0.merging(["mayEnd": mayEnd, "endAction": end.action, "endWord": end.word]) { $1 } }
    return site.page(
      "follows",
      [
        "title": "\(heading): \(person.displayName)", "heading": heading,
        "personName": person.displayName, "personPage": person.page, "isEmpty": shown.isEmpty, "people": people,
        "hasPeople": !people.isEmpty, "hasHidden": !hidden.isEmpty,
        "endAction": end.action, "endWord": end.word,
        "hidden": hidden.enumerated().map { ["personID": $1.id, "back": here, "number": $0 + 1] as [String: Any] },
        "older": found.count > shown.count ? "\(path)?skip=\(skipped + shown.count)" : nil,
      ], request, visitor)
  }

  private func profile(_ name: String, _ request: Request) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    let caller = visitor.caller
    let people = PeopleReader(rows: site.rows)
    guard let person = try await people.person(name, for: caller) else { throw PageFailure.notFound }
    let cursor = PageCursor(request.uri.queryParameters.get("before"))
    let page = try await FeedReader(rows: site.rows).posts(
      .author(person.id), after: cursor, limit: Self.pageSize, for: caller)
    let isSelf = caller.userID == person.id
    var values: [String: Any?] = [
      "title": person.displayName, "personName": person.displayName, "portrait": person.avatarValues,
      "personPage": person.page, "handle": person.username, "isSelf": isSelf,
      "team": person.teamName.flatMap { $0.isEmpty ? nil : $0 }, "bio": person.bio.flatMap { $0.isEmpty ? nil : $0 },
      "level": person.privacyLevel == "public" ? nil : person.privacyLevel.replacing("_", with: " "),
      "highlightsCount": person.highlightsCount,
      "highlightsWord": person.highlightsCount == 1 ? "highlight" : "highlights",
      "followersCount": person.followersCount, "followersWord": person.followersCount == 1 ? "follower" : "followers",
      "followingCount": person.followingCount, "isEmpty": page.rows.isEmpty,
      "emptyTitle": person.highlightsCount > 0 && !isSelf ? "No visible highlights" : "No highlights yet",
      "emptyText": isSelf
        ? "Share a rally to see it here:" : "Highlights that \(person.displayName) shares appear here.",
      "tiles": page.rows.map { post in
        // A tile opens the highlight among the person's other highlights.
        let cursor = PageCursor(createdAt: post.createdAt, id: post.id)
        return post.templateValues(for: caller).merging([
          "tilePath": "\(person.page)/highlights?from=\(cursor.text)#h-\(post.id)"
        ]) { $1 }
      }, "mayFollow": caller.userID != nil && !isSelf,
      "maySignIn": caller == .anonymous, "older": page.next.map { "\(person.page)?before=\($0.text)" },
    ]
    if let user = caller.userID, !isSelf {
      let (isMuted, isFollower) = try await site.rows.store.database.read { db in
        (
          try db.hasRow("SELECT 1 FROM user_mutes WHERE muter_id = ? AND muted_id = ?", [user, person.id]),
          try db.hasRow("SELECT 1 FROM follows WHERE follower_id = ? AND following_id = ?", [person.id, user])
        )
      }
      values["safety"] = ["personID": person.id, "isMuted": isMuted, "isFollower": isFollower] as [String: Any]
      let relation = try await people.relation(to: person, of: user, for: caller)
      values["isFollowing"] = relation != .none
      values["followValue"] = relation == .none ? "1" : "0"
      values["followWord"] =
        switch relation {
        case .none: person.privacyLevel == "public" ? "Follow" : "Request to follow"
        case .requested: "Cancel request"
        case .follows: "Unfollow"
        }
    }
    return site.page("profile", values, request, visitor)
  }
}
