import Foundation
import GRDB
import Hummingbird

extension ServerModule {
  /// The module for the search for highlights, people, tags and teams.
  static let search = ServerModule(
    name: "search",
    migrations: [Migration(number: 10, title: "search", run: SearchTables.create)],
    sqlFunctions: SearchWords.sqlFunctions,
    functions: SearchFunctions.all)
}

private enum SearchFunctions {
  static let all = [
    RPCFunction(
      name: "search_highlights", arguments: ["query", "max_rows", "before", "before_id"],
      answer: .rows(SocialTables.highlights, highlights)),
    RPCFunction(
      name: "highlights_with_tag", arguments: ["tag", "max_rows", "before", "before_id"],
      answer: .rows(SocialTables.highlights, highlightsWithTag)),
    RPCFunction(
      name: "search_people", arguments: ["query", "max_rows", "skip_rows"],
      answer: .rows(SocialTables.profiles, people)),
    RPCFunction(
      name: "search_tags", arguments: ["query", "max_rows", "skip_rows"],
      answer: .rows(SearchLabels.table, tags)),
    RPCFunction(
      name: "search_teams", arguments: ["query", "max_rows", "skip_rows"],
      answer: .rows(SearchLabels.table, teams)),
    // Labels are always current.
    RPCFunction(name: "refresh_labels", isReadOnly: false, answer: .response(refreshLabels)),
  ]

  static func people(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    .matchingPeople(
      try call.query(), for: call.caller, limit: try call.pageSize(), offset: try call.number("skip_rows") ?? 0)
  }

  static func tags(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    try labels(.tags, call)
  }

  static func teams(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    try labels(.teams, call)
  }

  private static func labels(_ labels: SearchLabels, _ call: RPCFunction.FunctionCall) throws -> RowStore.Restriction {
    labels.matching(try call.query(), limit: try call.pageSize(), offset: try call.number("skip_rows") ?? 0)
  }

  static func highlights(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    var restriction = RowStore.Restriction.matchingHighlights(
      try call.query(), for: call.caller, where: try call.pageCondition())
    try restriction.selectNewest(call)
    return restriction
  }

  static func highlightsWithTag(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    let tag = String.fromDatabaseValue(try call.value("tag", .text)) ?? ""
    var restriction = RowStore.Restriction.taggedHighlights(tag, for: call.caller, where: try call.pageCondition())
    try restriction.selectNewest(call)
    return restriction
  }

  static func refreshLabels(_ call: RPCFunction.FunctionCall) async throws -> Response {
    try call.requireService()
    return Response(status: .noContent)
  }
}

extension RPCFunction.FunctionCall {
  fileprivate func query() throws(PostgRESTFailure) -> String {
    String.fromDatabaseValue(try value("query", .text)) ?? ""
  }
}

extension RowStore.Restriction {
  /// Restricts highlights to those with all words of the query in the caption or the tags.
  static func matchingHighlights(
    _ text: String, for caller: Caller, where conditions: @escaping Conditions = { _, _ in [] }
  ) -> Self {
    let query = SearchQuery(text)
    return .findableHighlights(for: caller) { statement, alias in
      if query.words.isEmpty { return ["0"] }
      return query.conditions("\(alias).id", in: "highlight_words", key: "highlight_id", &statement)
        + conditions(&statement, alias)
    }
  }

  /// Restricts highlights to those with a tag.
  static func taggedHighlights(
    _ tag: String, for caller: Caller, where conditions: @escaping Conditions = { _, _ in [] }
  ) -> Self {
    .findableHighlights(for: caller) { statement, alias in
      let word = statement.bind("#\(tag.lowercased())".databaseValue)
      return ["\(alias).id IN (SELECT highlight_id FROM highlight_words WHERE word = \(word))"]
        + conditions(&statement, alias)
    }
  }

  /// Selects people with all words of the query in the name or the team, and usernames that begin with it. If there are
  /// none, usernames with the same first half and at most two changes. Exact usernames come first, then beginnings, then
  /// names by followers.
  static func matchingPeople(_ text: String, for caller: Caller, limit: Int, offset: Int) -> Self {
    let query = SearchQuery(text)
    let name = text.prefix(200).lowercased().trimmingCharacters(in: [" ", "@"])
    return Self(
      ranking: { statement in
        query.words.isEmpty
          ? "SELECT NULL AS id, NULL AS rank WHERE 0" : PeopleRanking.statement(name, query, for: caller, &statement)
      },
      conditions: { _, alias in ["NOT \(RowRules.isProtected("\(alias).id", from: caller.sql))"] },
      order: { _, alias in "ORDER BY ranked.rank, \(alias).followers_count DESC, \(alias).id" }, limit: limit,
      offset: offset)
  }
}

private enum PeopleRanking {
  static func statement(
    _ name: String, _ query: SearchQuery, for caller: Caller, _ statement: inout RowStatement
  ) -> String {
    let username = statement.bind(name.databaseValue)
    let firstHalf = statement.bind(String(name.prefix(max(name.count / 2, 2))).databaseValue)
    func begins(with text: String) -> String {
      "lower(username) >= \(text) AND lower(username) < \(text) || char(1114111)"
    }
    let conditions = query.conditions("id", in: "profile_words", key: "profile_id", &statement)
    // Hidden people must not affect the result.
    return """
      WITH found AS MATERIALIZED (
        SELECT id, iif(lower(username) = \(username), 1, 2) AS rank FROM (
          SELECT id, username FROM profiles WHERE \(begins(with: username)) LIMIT 200)
        UNION ALL
        SELECT id, 3 FROM (SELECT id FROM profiles WHERE \(conditions.joined(separator: " AND ")) LIMIT 2000)
      ), similar_names AS (
        SELECT id, 4 AS rank FROM profiles
        WHERE NOT EXISTS (SELECT 1 FROM found AS f WHERE \(RowRules.canFind("f.id", caller.sql))) AND \(begins(with: firstHalf))
          AND edit_distance(lower(username), \(username)) <= 2 LIMIT 50
      )
      SELECT id, min(rank) AS rank FROM (SELECT * FROM found UNION ALL SELECT * FROM similar_names) GROUP BY id
      """
  }
}
