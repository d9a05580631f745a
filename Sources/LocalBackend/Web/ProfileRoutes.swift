import Foundation
import Hummingbird

/// `/u/{name or id}`: a person, and what they have shared.
struct ProfileRoutes: Sendable {
  let site: PageSite

  /// A multiple of the three columns.
  private static let pageSize = 30

  func add(to router: Router<BackendContext>) {
    router.get("u/:name") { request, context in
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      return try await profile(name, request)
    }
  }

  private func profile(_ name: String, _ request: Request) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    let caller = visitor.caller
    let people = PeopleReader(rows: site.rows)
    guard let person = try await people.person(name, for: caller) else { throw PageFailure.missing }
    let cursor = PageCursor(request.uri.queryParameters.get("before"))
    let page = try await FeedReader(rows: site.rows).posts(
      .author(person.id), after: cursor, limit: Self.pageSize, for: caller)
    let isSelf = caller.userID == person.id
    var values: [String: Any] = [
      "title": person.displayName, "personName": person.displayName, "personInitial": person.initial,
      "personTint": person.tint, "personPage": person.page, "handle": person.username, "isSelf": isSelf,
      "highlightsCount": person.highlightsCount,
      "highlightsWord": person.highlightsCount == 1 ? "highlight" : "highlights",
      "followersCount": person.followersCount, "followersWord": person.followersCount == 1 ? "follower" : "followers",
      "followingCount": person.followingCount, "isEmpty": page.posts.isEmpty,
      "emptyTitle": person.highlightsCount > 0 && !isSelf ? "Nothing for you to see" : "No highlights yet",
      "emptyText": isSelf ? "Share a rally and it appears here:" : "What \(person.displayName) shares appears here.",
      "tiles": page.posts.map { PostView($0, for: caller) }, "mayFollow": caller.userID != nil && !isSelf,
      "maySignIn": caller == .anonymous,
    ]
    if let team = person.teamName, !team.isEmpty { values["team"] = team }
    if let bio = person.bio, !bio.isEmpty { values["bio"] = bio }
    if person.privacyLevel != "public" { values["level"] = person.privacyLevel.replacing("_", with: " ") }
    if let next = page.next { values["older"] = "\(person.page)?before=\(next.text)" }
    if let user = caller.userID, !isSelf {
      let relation = try await people.relation(to: person, of: user, for: caller)
      values["isFollowing"] = relation != .none
      values["followValue"] = relation == .none ? "1" : "0"
      values["followWord"] =
        switch relation {
        case .none: person.privacyLevel == "public" ? "Follow" : "Ask to follow"
        case .asked: "Asked; take it back"
        case .follows: "Unfollow"
        }
    }
    return site.page("profile", values, request, visitor)
  }
}
