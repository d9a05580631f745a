import ClipModel
import Foundation
import GRDB
import Hummingbird

extension RPCFunction {
  static let views = [
    RPCFunction(
      name: "record_view", arguments: ["highlight", "watched"], isReadOnly: false, answer: .response(recordView)),
    RPCFunction(
      name: "aggregate_views", arguments: ["max_rows"], isReadOnly: false, answer: .response(aggregateViews)),
    RPCFunction(
      name: "creator_analytics", arguments: ["days", "max_rows", "skip_rows"],
      answer: .rows(ViewTables.analytics, creatorAnalytics)),
    RPCFunction(
      name: "creator_analytics_by_day", arguments: ["days"], answer: .rows(ViewTables.analyticsByDay, analyticsByDay)),
  ]

  private static func recordView(_ call: FunctionCall) async throws -> Response {
    guard call.caller != .service else { throw call.denied }
    let highlight = try call.value("highlight", .uuid)
    let watched = Double.fromDatabaseValue(try call.value("watched", .double))
    let recorder = ViewRecorder(caller: call.caller, address: call.address, now: call.rows.now())
    try await call.rows.store.database.write { db in try recorder.record(highlight, watched: watched, in: db) }
    return Response(status: .noContent)
  }

  private static func aggregateViews(_ call: FunctionCall) async throws -> Response {
    try call.requireService()
    let limit = try call.number("max_rows") ?? 20_000
    let now = call.rows.now()
    let count = try await call.rows.store.database.write { db in
      try ViewSums.aggregate(in: db, limit: limit, now: now)
    }
    return try Response.json(count)
  }

  /// Selects the caller's highlights with their views of the last days, newest first.
  static func creatorAnalytics(_ call: FunctionCall) async throws -> RowStore.Restriction {
    let author = try call.user()
    let limit = try call.pageSize(default: 50, maximum: 200)
    let offset = try call.number("skip_rows") ?? 0
    let first = try firstDay(call)
    return RowStore.Restriction(source: { statement in
      """
      SELECT h.id AS highlight_id, h.caption, h.created_at, coalesce(sum(t.views), 0) AS views,
        coalesce(sum(t.completions), 0) AS completions, sum(t.completions) * 1.0 / nullif(sum(t.views), 0) AS completion_rate,
        coalesce(sum(t.watched_seconds), 0) AS watched_seconds, h.likes_count, h.comments_count
      FROM highlights AS h
      LEFT JOIN highlight_stats AS t ON t.highlight_id = h.id AND t.day > \(statement.bind(first))
      WHERE h.author_id = \(statement.bind(author.databaseValue))
      GROUP BY h.id ORDER BY h.created_at DESC, h.id LIMIT \(limit) OFFSET \(offset)
      """
    })
  }

  /// Selects the sums of all of the caller's highlights per day, for days with views.
  private static func analyticsByDay(_ call: FunctionCall) async throws -> RowStore.Restriction {
    let author = try call.user()
    let first = try firstDay(call)
    return RowStore.Restriction(source: { statement in
      """
      SELECT t.day, sum(t.views) AS views, sum(t.completions) AS completions, sum(t.watched_seconds) AS watched_seconds
      FROM highlights AS h JOIN highlight_stats AS t ON t.highlight_id = h.id
      WHERE h.author_id = \(statement.bind(author.databaseValue)) AND t.day > \(statement.bind(first))
      GROUP BY t.day ORDER BY t.day
      """
    })
  }

  /// Returns the day before the first day of the requested number of days; null if the number is null, which selects no
  /// days.
  private static func firstDay(_ call: FunctionCall) throws -> DatabaseValue {
    let days = call.body["days"] == nil ? 30 : try call.number("days")
    guard let days else { return .null }
    let time = call.rows.now().addingTimeInterval(-86_400 * Double(days))
    // PostgreSQL's dates begin with the Julian day 0.
    guard time.timeIntervalSince1970 >= -2_440_588 * 86_400 else {
      throw PostgRESTFailure(.badRequest, "22008", "date out of range")
    }
    return String(timestampText(time).prefix(10)).databaseValue
  }
}
