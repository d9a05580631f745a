#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

extension RPCFunction {
  static let figures = [
    RPCFunction(
      name: "post_statistics", arguments: ["family", "coach"], answer: .rows(statisticsTable, postStatistics)),
    RPCFunction(
      name: "social_analytics", arguments: ["family", "days", "time_zone"], answer: .response(socialAnalytics)),
    RPCFunction(
      name: "interaction_figures",
      arguments: ["family", "search", "type", "direction", "sentiment", "days", "logged_by", "time_zone"],
      answer: .response(interactionFigures)),
  ]

  private static let statisticsTable = TableSchema.result(
    "post_statistics", ["total", "twitter", "instagram", "flagged"].map { SocialTables.column($0, .integer) })

  /// Selects the statistics of the posts of a family, or of one coach.
  private static func postStatistics(_ call: FunctionCall) async throws -> RowStore.Restriction {
    _ = try call.user()
    let caller = call.caller
    let family = try call.value("family", .uuid)
    let coach = try call.optionalValue("coach", .uuid)
    return RowStore.Restriction(source: { statement in
      let isCoach = coach.isNull ? "1" : "p.coach_id = \(statement.bind(coach))"
      let platforms = SocialPlatform.allCases.map { "count(*) FILTER (WHERE p.platform = '\($0.rawValue)') AS \($0)" }
      return """
        SELECT count(*) AS total, \(platforms.joined(separator: ", ")),
          count(*) FILTER (WHERE p.flagged_for_review) AS flagged
        FROM social_media_posts AS p WHERE p.family_unit_id = \(statement.bind(family)) AND \(isCoach)
          AND \(RecruitingFigures.isVisible(PostTables.posts, "p", to: caller))
        """
    })
  }

  private static func socialAnalytics(_ call: FunctionCall) async throws -> Response {
    _ = try call.user()
    let caller = call.caller
    let family = try call.value("family", .uuid)
    let days = Int.fromDatabaseValue(try call.value("days", .integer, default: 30.databaseValue))
    let zone = try zone(of: call)
    let now = call.rows.now()
    let text = try await call.rows.store.database.read { db in
      let figures = RecruitingFigures(caller: caller, db: db, now: now)
      let analytics = try figures.analytics(of: family, days: days, in: zone)
      return try JSONEncoder.data(of: document(analytics, try figures.texts(of: analytics.recent)))
    }
    return .text(text, "application/json; charset=utf-8")
  }

  private static func document(_ analytics: SocialAnalytics, _ recent: [JSONObject]) -> JSONObject {
    let sentiments = analytics.sentiments.map {
      ["sentiment": $0.sentiment, "count": $0.count, "percentage": $0.percentage] as JSONObject
    }
    return [
      "total": analytics.total, "recruiting": analytics.recruiting,
      "recruiting_percentage": analytics.recruitingPercentage, "analyzed": analytics.analyzed,
      "positive": analytics.positive, "positive_percentage": analytics.positivePercentage,
      "active_schools": analytics.activeSchools,
      "platforms": ["twitter": analytics.twitter, "instagram": analytics.instagram], "sentiments": sentiments,
      "days": analytics.days.map { ["day": $0.day, "count": $0.count] as JSONObject },
      "schools": analytics.schools.map { ["id": $0.id, "name": $0.name, "count": $0.count] as JSONObject },
      "recent": recent,
    ]
  }

  private static func interactionFigures(_ call: FunctionCall) async throws -> Response {
    _ = try call.user()
    let caller = call.caller
    let family = try call.value("family", .uuid)
    let days = Int.fromDatabaseValue(try call.optionalValue("days", .integer))
    let zone = try zone(of: call)
    let now = call.rows.now()
    guard let filter = try filter(of: call) else {
      return try Response.json([InteractionFigures(total: 0, outbound: 0, inbound: 0, thisWeek: 0)])
    }
    let figures = try await call.rows.store.database.read { db in
      try RecruitingFigures(caller: caller, db: db, now: now).interactions(of: family, filter, days: days, in: zone)
    }
    return try Response.json([figures])
  }

  /// Returns the filter of a call, or `nil` if a value is unknown, so that no interaction matches.
  private static func filter(of call: FunctionCall) throws -> InteractionFilter? {
    func text(_ name: String, _ type: ColumnType = .text) throws -> String? {
      String.fromDatabaseValue(try call.optionalValue(name, type))
    }
    let (type, direction, sentiment) = (try text("type"), try text("direction"), try text("sentiment"))
    let filter = InteractionFilter(
      search: try text("search") ?? "", type: type.flatMap(InteractionType.init),
      direction: direction.flatMap(InteractionDirection.init), sentiment: sentiment.flatMap(PostSentiment.init),
      loggedBy: try text("logged_by", .uuid))
    let isKnown =
      filter.type?.rawValue == type && filter.direction?.rawValue == direction
      && filter.sentiment?.rawValue == sentiment
    return isKnown ? filter : nil
  }

  private static func zone(of call: FunctionCall) throws -> RecruitingTimeZone {
    let name = String.fromDatabaseValue(try call.value("time_zone", .text, default: "UTC".databaseValue))
    return try RecruitingFigures.zone(named: name)
  }
}
#endif
