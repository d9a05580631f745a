import GRDB
import Hummingbird

extension ServerModule {
  /// The module for feeds and suggestions: the highlights and people that a client shows without a search.
  static let feeds = ServerModule(
    name: "feeds",
    migrations: [Migration(number: 9, title: "scores of highlights", run: HighlightScores.createTable)],
    sqlFunctions: [HighlightScores.naturalLogarithm],
    functions: FeedFunctions.all)
}

private enum FeedFunctions {
  static let all = [
    RPCFunction(name: "feed", answer: .rows(SocialTables.highlights, feed)),
    RPCFunction(
      name: "following_feed", arguments: ["max_rows", "before", "before_id"],
      answer: .rows(SocialTables.highlights, followingFeed)),
    RPCFunction(
      name: "discover_highlights", arguments: ["max_rows", "skip_rows"],
      answer: .rows(SocialTables.highlights, discover)),
    RPCFunction(
      name: "for_you", arguments: ["max_rows", "skip_rows", "liked_before"],
      answer: .rows(SocialTables.highlights, forYou)),
    RPCFunction(
      name: "follow_suggestions", arguments: ["max_rows"],
      answer: .rows(SocialTables.profiles, followSuggestions)),
    // Each like and comment updates the counters of its highlight immediately.
    RPCFunction(name: "fold_counters", isReadOnly: false, answer: .response(foldCounters)),
  ]

  static func feed(_ call: RPCFunction.FunctionCall) async -> RowStore.Restriction {
    .findableHighlights(for: call.caller)
  }

  static func forYou(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    .forYou(
      try call.user(), limit: try call.pageSize(), offset: try call.number("skip_rows") ?? 0,
      likedBefore: String.fromDatabaseValue(try call.optionalValue("liked_before", .timestamp)))
  }

  static func followSuggestions(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    .followSuggestions(for: try call.user(), limit: try call.pageSize())
  }

  static func followingFeed(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    var restriction = RowStore.Restriction.followedHighlights(by: try call.user(), where: try call.pageCondition())
    try restriction.selectNewest(call)
    return restriction
  }

  static func discover(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    .discover(for: call.caller, limit: try call.pageSize(), offset: try call.number("skip_rows") ?? 0)
  }

  static func foldCounters(_ call: RPCFunction.FunctionCall) async throws -> Response {
    try call.requireService()
    return try Response.json(0)
  }
}

extension RowStore.Restriction {
  typealias Conditions = @Sendable (inout RowStatement, _ alias: String) -> [String]

  /// Restricts highlights to those of people whom the caller can find and hasn't muted, and to additional conditions.
  static func findableHighlights(
    for caller: Caller, where conditions: @escaping Conditions = { _, _ in [] }
  ) -> Self {
    Self(conditions: { statement, alias in
      let author = "\(alias).author_id"
      return [
        "NOT \(RowRules.isMuted(author, caller.sql))", "NOT \(RowRules.isProtected(author, from: caller.sql))",
      ] + conditions(&statement, alias)
    })
  }

  /// Restricts highlights to those of people whom an account follows.
  static func followedHighlights(by user: String, where conditions: @escaping Conditions = { _, _ in [] }) -> Self {
    let viewer = Caller.user(user).sql
    return Self(conditions: { statement, alias in
      [
        "\(alias).author_id IN (SELECT ff.following_id FROM follows AS ff WHERE ff.follower_id = \(viewer))",
        "\(alias).is_ready AND \(alias).privacy_level <> 'private'",
        "NOT \(RowRules.isMuted("\(alias).author_id", viewer))",
      ] + conditions(&statement, alias)
    })
  }

  /// Selects public highlights of the last 30 days, the best first.
  static func discover(for caller: Caller, limit: Int, offset: Int) -> Self {
    var restriction = findableHighlights(for: caller) { _, alias in
      ["\(alias).created_at > \(HighlightScores.oldest)"]
    }
    restriction.ranking = { _ in
      """
      SELECT highlight_id AS id, score AS rank FROM highlight_scores
      WHERE score > \(HighlightScores.score(ofTime: HighlightScores.oldest))
      """
    }
    restriction.selectBest(limit: limit, offset: offset)
    return restriction
  }

  /// Selects a page of highlights in the order of the ranking.
  mutating func selectBest(limit: Int, offset: Int) {
    order = { _, _ in "ORDER BY ranked.rank DESC, ranked.id" }
    self.limit = limit
    self.offset = offset
  }

  /// Selects a page of highlights, from newest to oldest.
  mutating func selectNewest(_ call: RPCFunction.FunctionCall) throws(PostgRESTFailure) {
    order = { _, alias in "ORDER BY \(alias).created_at DESC, \(alias).id DESC" }
    limit = try call.pageSize()
  }
}

extension RPCFunction.FunctionCall {
  /// Returns the condition for the highlights after the last one of the previous page, which the arguments `before` and
  /// `before_id` identify.
  func pageCondition() throws(PostgRESTFailure) -> RowStore.Restriction.Conditions {
    let before = try optionalValue("before", .timestamp)
    let id = try optionalValue("before_id", .uuid)
    return { statement, alias in
      // As in PostgreSQL, an ID without a time has no effect.
      if before.isNull { return [] }
      let time = statement.bind(before)
      return ["(\(alias).created_at, \(alias).id) < (\(time), coalesce(\(statement.bind(id)), ''))"]
    }
  }
}
