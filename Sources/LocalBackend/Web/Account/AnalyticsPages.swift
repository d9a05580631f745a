import Foundation
import GRDB
import Hummingbird

/// The page `/analytics`, which shows the views of the visitor's own highlights, and the route to which pages report views.
struct AnalyticsPages: Sendable {
  let server: ServerDependencies

  private static let pageSize = 50
  private static let days = 30

  func add(to router: Router<BackendContext>) {
    router.post("h/:id/view") { request, context in
      let (visitor, fields) = try await server.site.form(request, context)
      let highlight = try ReactionRoutes.identifier(context.parameters.require("id"))
      let recorder = ViewRecorder(
        caller: visitor.caller, address: context.channel.remoteAddress?.ipAddress ?? "", now: server.now)
      let watched = fields["watched"].flatMap { Double($0) }
      try await server.store.database.write { db in
        try recorder.record(highlight.databaseValue, watched: watched, in: db)
      }
      return Response(status: .noContent)
    }
    router.get("analytics") { request, _ in
      let visitor = try await server.site.visitor(of: request)
      _ = try visitor.user()
      // The page shows current sums.
      let now = server.now
      _ = try await server.store.database.write { db in try ViewSums.aggregate(in: db, now: now) }
      let skipped = request.skippedRowCount
      let call = server.call(
        "creator_analytics", as: visitor, ["max_rows": "\(Self.pageSize + 1)", "skip_rows": "\(skipped)"])
      let rows: [HighlightFigures] = try await server.rows.decodeRows(
        ViewTables.analytics, RowQuery("select=*"), visitor.caller, try await RPCFunction.creatorAnalytics(call))
      return server.site.page(
        "analytics",
        [
          "title": "Analytics", "days": Self.days, "figures": rows.prefix(Self.pageSize).map(\.values),
          "isEmpty": rows.isEmpty,
          "older": rows.count > Self.pageSize ? "/analytics?skip=\(skipped + Self.pageSize)" : nil,
        ], request, visitor)
    }
  }
}

/// The figures of a highlight as `creator_analytics` returns them.
private struct HighlightFigures: Decodable, Sendable {
  var highlightID: String
  var caption: String?
  var createdAt: String
  var views: Int
  var completions: Int
  var completionRate: Double?
  var watchedSeconds: Double
  var likesCount: Int
  var commentsCount: Int

  var values: [String: Any] {
    let name = (caption ?? "").isEmpty ? "Highlight" : caption ?? ""
    return [
      "link": "/h/\(highlightID)", "name": name, "created": PageText.formatTime(createdAt), "createdISO": createdAt,
      "views": views, "rate": completionRate.map { "\(Int(($0 * 100).rounded())) %" } ?? "–",
      "watched": "\(Int(watchedSeconds.rounded())) s", "likes": likesCount, "talk": commentsCount,
    ]
  }
}
