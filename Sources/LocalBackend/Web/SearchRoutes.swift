import Hummingbird

/// The page `/search`, which finds highlights, people, tags and teams. Without a query, it shows frequent tags and people
/// to follow.
struct SearchRoutes: Sendable {
  let site: PageSite

  private static let pageSize = 30
  private static let peopleCount = 20
  private static let labelCount = 12

  func add(to router: Router<BackendContext>) {
    router.get("search") { request, _ in
      let visitor = try await site.visitor(of: request)
      let query = request.uri.formField("q") ?? ""
      return try await search(String(query.prefix(200)), request, visitor)
    }
  }

  private func search(_ query: String, _ request: Request, _ visitor: PageVisitor) async throws -> Response {
    let caller = visitor.caller
    let isSearch = !SearchQuery(query).words.isEmpty
    let people = PeopleReader(rows: site.rows)
    // The next pages of people show only people.
    let skipped = isSearch ? request.skippedRowCount : 0
    let matches =
      isSearch
      ? try await people.matching(query, limit: Self.peopleCount + 1, offset: skipped, for: caller)
      : try await people.suggestions(limit: Self.peopleCount, for: caller)
    let found = Array(matches.prefix(Self.peopleCount))
    let tags = skipped == 0 ? try await labels(.tags, query, caller) : []
    let teams = isSearch && skipped == 0 ? try await labels(.teams, query, caller) : []
    let cursor = PageCursor(request.uri.queryParameters.get("before"))
    let posts =
      isSearch && skipped == 0
      ? try await FeedReader(rows: site.rows).posts(
        .matching(query), after: cursor, limit: Self.pageSize, for: caller) : (rows: [], next: nil)
    let path = "/search?q=\(LocalPath.percentEncoded(query))"
    let hasResults = !(found.isEmpty && tags.isEmpty && teams.isEmpty && posts.rows.isEmpty)
    return site.page(
      "search",
      [
        "title": isSearch ? "Search: \(query)" : "Search", "query": query, "isSearch": isSearch,
        "hasNoResults": isSearch && !hasResults, "peopleTitle": isSearch ? "People" : "People to follow",
        "hasPeople": !found.isEmpty,
        "people": try await people.values(
          of: found, for: caller, returningTo: skipped == 0 ? path : "\(path)&skip=\(skipped)"),
        "morePeople": matches.count > found.count ? "\(path)&skip=\(skipped + found.count)" : nil,
        "hasTags": !tags.isEmpty, "labels": tags.map { $0.values(path: PageText.path(ofTag: $0.name), mark: "#") },
        "hasTeams": !teams.isEmpty,
        "teams": teams.map { $0.values(path: "/search?q=\(LocalPath.percentEncoded($0.name))", mark: "") },
        "hasTiles": !posts.rows.isEmpty, "tiles": posts.rows.map { $0.templateValues(for: caller) },
        "older": posts.next.map { "\(path)&before=\($0.text)" },
      ], request, visitor)
  }

  private func labels(_ labels: SearchLabels, _ query: String, _ caller: Caller) async throws -> [Label] {
    try await site.rows.decodeRows(
      SearchLabels.table, RowQuery(), caller, labels.matching(query, limit: Self.labelCount))
  }

  private struct Label: Decodable {
    var name: String
    var uses: Int

    func values(path: String, mark: String) -> [String: Any] {
      ["path": path, "word": mark + name, "uses": PageText.countText(uses, "person", plural: "people")]
    }
  }
}
