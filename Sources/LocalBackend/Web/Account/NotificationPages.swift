import Foundation
import GRDB
import Hummingbird

/// The page `/notifications`, with the requests to follow the visitor.
struct NotificationPages: Sendable {
  let server: ServerDependencies

  private var site: PageSite { server.site }
  private var forms: ReactionRoutes { ReactionRoutes(site: site) }

  func add(to router: Router<BackendContext>) {
    router.get("notifications") { request, _ in
      try await notifications(request, try await site.visitor(of: request))
    }
    router.post("notifications/read") { request, context in
      let (visitor, fields, _) = try await forms.form(request, context)
      let until = fields["until"].flatMap(TimestampText.normalized)
      _ = try await RPCFunction.markNotificationsRead(
        server.call("mark_notifications_read", as: visitor, until.map { ["until": $0] } ?? [:]))
      return PageSite.redirect(to: "/notifications")
    }
    router.post("requests/:person") { request, context in
      let (visitor, fields, user) = try await forms.form(request, context)
      let person = try ReactionRoutes.identifier(context.parameters.require("person"))
      if fields["accept"] != nil {
        do {
          _ = try await RPCFunction.acceptFollowRequest(
            server.call("accept_follow_request", as: visitor, ["requester": person]))
        } catch let failure as PostgRESTFailure where failure.code == "PT404" {
          // The form was sent twice, or the request was withdrawn. The page shows what is left.
        }
      } else {
        _ = try await forms.delete("follow_requests", ["requester_id": person, "target_id": user], visitor.caller)
      }
      return PageSite.redirect(to: "/notifications")
    }
  }

  private func notifications(_ request: Request, _ visitor: PageVisitor) async throws -> Response {
    let user = try visitor.user()
    let before = request.uri.queryParameters.get("before").flatMap(TimestampText.normalized)
    let groups = try await groups(before: before, RowQuery("select=*"), visitor)
    let people = try await people(Set(groups.flatMap { $0.actorIds ?? [] }), for: visitor.caller)
    let requests = before == nil ? try await requests(to: user, visitor.caller) : []
    let oldest = groups.map(\.oldest).min()
    let older = oldest == nil ? [] : try await self.groups(before: oldest, RowQuery("select=*&limit=1"), visitor)
    return site.page(
      "notifications",
      [
        "title": "Notifications", "requests": requests, "hasRequests": !requests.isEmpty,
        "groups": groups.map { $0.values(people) }, "isEmpty": groups.isEmpty, "until": groups.first?.newest,
        "hasUnread": groups.contains { !$0.isRead },
        "older": older.isEmpty ? nil : oldest.map { "/notifications?before=\(LocalPath.percentEncoded($0))" },
      ], request, visitor)
  }

  private func groups(
    before time: String?, _ query: RowQuery, _ visitor: PageVisitor
  ) async throws -> [NotificationGroup] {
    let call = server.call("notification_groups", as: visitor, time.map { ["before": $0] } ?? [:])
    return try await server.rows.decodeRows(
      RPCFunction.groupTable, query, visitor.caller, try await RPCFunction.notificationGroups(call))
  }

  private func people(_ ids: Set<String>, for caller: Caller) async throws -> [String: Person] {
    if ids.isEmpty { return [:] }
    var query = try RowQuery("select=\(PeopleReader.columns)")
    query.filters = [.comparison(column: "id", isNegated: false, .isOneOf(ids.sorted()))]
    let people: [Person] = try await server.rows.decodeRows(server.rows.table("profiles"), query, caller)
    return Dictionary(people.map { ($0.id, $0) }) { first, _ in first }
  }

  private func requests(to user: String, _ caller: Caller) async throws -> [[String: Any]] {
    struct Row: Decodable { var requester: Person? }
    var query = try RowQuery(
      "select=requester:profiles!requester_id(\(PeopleReader.columns))&order=created_at.desc&limit=50")
    query.filters = [.equals("target_id", user)]
    let rows: [Row] = try await server.rows.decodeRows(server.rows.table("follow_requests"), query, caller)
    return rows.compactMap(\.requester).map { person in
      person.values.merging(["handle": person.username, "personID": person.id]) { $1 }
    }
  }
}

/// A group of notifications as `notification_groups` returns it.
struct NotificationGroup: Decodable, Sendable {
  var kind: String
  var highlightID: String?
  var commentID: String?
  var actorIds: [String]?
  var actorCount: Int
  var isRead: Bool
  var details: Details?
  var newest: String
  var oldest: String

  /// A moderator's decision, or the server's about a clip.
  struct Details: Decodable, Sendable {
    var action: String
    var removed: Bool
    var targetType: String
    var content: String?
    var reason: String
    var until: String?
  }

  /// Returns the template values.
  /// - Parameter people: the people whom the visitor can see, by ID.
  func values(_ people: [String: Person]) -> [String: Any] {
    let actors = (actorIds ?? []).compactMap { people[$0] }
    let values: [String: Any?] = [
      "actor": actors.first?.values, "others": others(actors), "what": what, "link": link(actors),
      "reason": details?.reason,
      "content": details?.content, "created": PageText.formatTime(newest), "createdISO": newest, "isUnread": !isRead,
    ]
    return values.compactMapValues(\.self)
  }

  private func others(_ actors: [Person]) -> String? {
    if actorCount == 2, actors.count == 2 { return "and \(actors[1].displayName)" }
    let count = actorCount - 1
    return count > 0 ? "and \(PageText.countText(count, "other"))" : nil
  }

  private var what: String {
    switch kind {
    case "like": "liked your highlight"
    case "comment": "commented on your highlight"
    case "mention": "mentioned you"
    case "follow": "followed you"
    case "request": "asked to follow you"
    case "accepted": "accepted your request to follow"
    case "comment_like": "liked your comment"
    case "reaction": "reacted to your comment"
    default: details.map(Self.decision) ?? "A moderator has made a decision."
    }
  }

  private static func decision(_ details: Details) -> String {
    let noun = PageText.noun(ofContent: details.targetType)
    let removal = details.removed ? "Your \(noun) was removed. " : ""
    return switch details.action {
    case "warn": removal + "This is a warning about your \(noun)."
    case "restrict":
      removal + "Your account can't post until \(PageText.formatTime(details.until ?? "")), because of your \(noun)."
    case "lift": "Your account can post again."
    default: removal.isEmpty ? "A decision about your \(noun)." : removal
    }
  }

  private func link(_ actors: [Person]) -> String? {
    if kind == "moderation" { return "/guidelines" }
    guard let highlightID else { return actors.first?.page }
    return "/h/\(highlightID)" + (commentID.map { "#comment-\($0)" } ?? "")
  }
}
