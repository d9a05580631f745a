import Foundation
import GRDB
import Hummingbird

/// The page `/moderation` for moderators: reports and flags without a decision, and the latest decisions.
struct ModerationPages: Sendable {
  let server: ServerDependencies

  private var site: PageSite { server.site }
  private static let pageSize = 50

  func add(to router: Router<BackendContext>) {
    router.get("moderation") { request, _ in try await moderation(request, try await site.visitor(of: request)) }
    router.post("moderation") { request, context in
      let (visitor, fields, _) = try await ReactionRoutes(site: site).form(request, context)
      let names = ["action", "target_type", "target_id", "reason"]
      var arguments = Dictionary(uniqueKeysWithValues: names.map { ($0, fields[$0] ?? "") })
      for name in ["id", "is_pending"] { arguments[name] = fields[name] }
      do {
        _ = try await RPCFunction.moderate(server.call("moderate", as: visitor, arguments))
      } catch let failure as PostgRESTFailure
        where ["PT404", "PT409", "23514", "22P02", "42501"].contains(failure.code)
      {
        return try await moderation(request, visitor, notice: Self.notice(failure))
      }
      return PageSite.redirect(to: "/moderation")
    }
  }

  private static func notice(_ failure: PostgRESTFailure) -> String {
    switch failure.code {
    case "PT404": "The content no longer exists."
    case "PT409": "This decision is not possible now: \(failure.message)."
    case "42501": "You can't decide about yourself."
    default: "A decision needs a reason of at most 500 characters."
    }
  }

  private func moderation(
    _ request: Request, _ visitor: PageVisitor, notice: String? = nil
  ) async throws -> Response {
    guard visitor.menu.isModerator else { throw PageFailure.notFound }
    let skipped = request.skippedRowCount
    let queue: [QueuedReport] = try await server.rows.decodeRows(
      ModerationTables.queue, RowQuery("select=*"), visitor.caller,
      try await RPCFunction.moderationQueue(
        server.call(
          "moderation_queue", as: visitor, ["max_rows": "\(Self.pageSize + 1)", "skip_rows": "\(skipped)"])))
    let log: [LoggedDecision] = try await server.rows.decodeRows(
      ModerationTables.actions, RowQuery("select=*"), visitor.caller,
      try await RPCFunction.moderationLog(server.call("moderation_log", as: visitor)))
    let shown = queue.prefix(Self.pageSize)
    // Moderators see the videos of reported highlights that aren't public.
    let clips = Dictionary(
      grouping: try await server.store.playableClips(
        of: shown.filter { $0.targetType == "highlight" }.map(\.targetID), for: visitor.caller), by: \.highlightID)
    return site.page(
      "moderation",
      [
        "title": "Moderation", "notice": notice,
        "cases": shown.enumerated().map { $1.values(number: $0, clips[$1.targetID] ?? []) }, "isEmpty": queue.isEmpty,
        "older": queue.count > Self.pageSize ? "/moderation?skip=\(skipped + Self.pageSize)" : nil,
        "decisions": log.map(\.values),
      ], request, visitor, status: notice == nil ? .ok : .unprocessableContent)
  }
}

/// A row of `moderation_queue`.
private struct QueuedReport: Decodable, Sendable {
  var targetType: String
  var targetID: String
  var userID: String
  var username: String
  var reportCount: Int
  var reportTypes: [String]?
  var flagCount: Int
  var oldest: String
  var content: String?
  var offenses: Int

  func values(number: Int, _ clips: [PlayableClip]) -> [String: Any] {
    let reasons = (reportTypes ?? []).map { $0.replacing("_", with: " ") }.joined(separator: ", ")
    let counts = [
      reportCount > 0 ? PageText.countText(reportCount, "report") + (reasons.isEmpty ? "" : " (\(reasons))") : nil,
      flagCount > 0 ? PageText.countText(flagCount, "rate flag") : nil, PageText.countText(offenses, "earlier offense"),
    ]
    let values: [String: Any?] = [
      "number": number, "targetType": targetType, "target": targetID,
      "noun": PageText.noun(ofContent: targetType).capitalized,
      "handle": username, "page": "/u/\(LocalPath.percentEncoded(username))",
      // Only its video is shown if the highlight isn't public.
      "link": targetType == "highlight" && !clips.contains(where: \.isSigned) ? "/h/\(targetID)" : nil,
      "clips": clips.map {
        ["source": "/stream/\($0.playbackID).mp4", "poster": "/image/\($0.playbackID)/thumbnail.jpg?time=2"]
      },
      "content": content, "isGone": content == nil,
      "counts": counts.compactMap(\.self).joined(separator: ", "), "created": PageText.formatTime(oldest),
      "createdISO": oldest, "actions": actions, "decision": ChosenID.new(),
    ]
    return values.compactMapValues(\.self)
  }

  private var actions: [[String: String]] {
    var actions = [
      ["value": "dismiss", "label": "No offense"], ["value": "warn", "label": "Offense, keep the content"],
    ]
    if content != nil { actions.append(["value": "remove", "label": "Offense, remove the content"]) }
    return actions
  }
}

/// A row of `moderation_log`.
private struct LoggedDecision: Decodable, Sendable {
  var userID: String
  var action: String
  var targetType: String
  var reason: String
  var until: String?
  var createdAt: String

  var values: [String: Any] {
    let values: [String: Any?] = [
      "action": action, "noun": PageText.noun(ofContent: targetType), "reason": reason,
      "end": until.map(PageText.formatTime), "created": PageText.formatTime(createdAt), "createdISO": createdAt,
      "restricted": action == "restrict" ? userID : nil, "decision": ChosenID.new(),
    ]
    return values.compactMapValues(\.self)
  }
}
