import Testing

@testable import LocalBackend

@Suite struct RowQueryTests {
  @Test func parsesQueriesOfTheApp() throws {
    let query = try RowQuery(
      "select=*,author:profiles(*),poll:polls(*,options:poll_options(*))&or=(caption.ilike.%25a+b%25,tags.cs.{x},and("
        + "id.eq.1,not.or(a.is.null,b.in.(1,%222,3%22))))&order=created_at.desc,id&limit=20&offset=40")
    #expect(
      query.selected == [
        .all, .embedded(.init(alias: "author", target: "profiles", selected: [.all])),
        .embedded(
          .init(
            alias: "poll", target: "polls",
            selected: [.all, .embedded(.init(alias: "options", target: "poll_options", selected: [.all]))])),
      ])
    #expect(
      query.filters == [
        .any(
          [
            .comparison(column: "caption", isNegated: false, .like("%a b%", ignoresCase: true)),
            .comparison(column: "tags", isNegated: false, .contains(["x"])),
            .all(
              [
                .comparison(column: "id", isNegated: false, .compare(.eq, "1")),
                .any(
                  [
                    .comparison(column: "a", isNegated: false, .isNull),
                    .comparison(column: "b", isNegated: false, .isOneOf(["1", "2,3"])),
                  ], isNegated: true),
              ], isNegated: false),
          ], isNegated: false)
      ])
    #expect(query.order == [.init(column: "created_at", isDescending: true), .init(column: "id")])
    #expect(query.limit == 20 && query.offset == 40)
  }

  @Test(arguments: [
    ("select=follower:profiles!follower_id(id,username)", "profiles", "follower_id"),
    ("select=profiles!inner!likes_user_id_fkey(id)", "profiles", "likes_user_id_fkey"),
  ])
  func parsesHints(_ text: String, _ target: String, _ hint: String) throws {
    guard case .embedded(let embedding)? = try RowQuery(text).selected.first else { return #expect(Bool(false)) }
    #expect(embedding.target == target && embedding.hint == hint)
    #expect(embedding.isInner == text.contains("inner"))
  }

  @Test(arguments: [
    ("a=eq.x,y)\"", RowFilter.Operation.compare(.eq, "x,y)\"")), ("a=not.is.null", .isNull),
    (#"a=in.("x,1","q\"uote",plain)"#, .isOneOf(["x,1", "q\"uote", "plain"])), ("a=in.()", .isOneOf([])),
    (#"a=ov.{"a b",c}"#, .overlaps(["a b", "c"])), ("a=cd.{}", .isContained([])), ("a=gte.3", .compare(.gte, "3")),
  ])
  func parsesFilters(_ text: String, _ operation: RowFilter.Operation) throws {
    #expect(
      try RowQuery(text).filters == [
        .comparison(column: "a", isNegated: text.contains("not."), operation)
      ])
  }

  /// Ignoring the unsupported part of any of these queries would return wrong rows.
  @Test(arguments: [
    "a=fts.x", "a=eq", "a=is.maybe", "a=in.(1", "a=in.1", "a=cs.[1]", "a.b=eq.1", "comments.limit=3", "or=(a.eq.1",
    "or=(a.eq.1))", "or=()", "or=a.eq.1", "select=a->b", "select=a::text", "select=count()x", "select=a(",
    "select=a,,b",
    "select=*,a!b", "order=a.up", "order=a(b)", "order=", "limit=-1", "limit=a", "offset=1&offset=2", "limit=1&limit=2",
    "a=like(any).{x}", "a=eq.%FF", "a=eq.%00", "and=(a.eq.\"1)", "select=a(b(c(d(e(f(g(h(*))))))))",
    "or=(or(or(or(or(or(or(or(or(or(a.eq.1))))))))))",
  ])
  func refusesUnsupportedQueries(_ text: String) {
    #expect(throws: PostgRESTFailure.self) { try RowQuery(text) }
  }

  @Test(arguments: [
    ("%spike%", "Match Point #SPIKE", true, true), ("%spike%", "Match Point #SPIKE", false, false),
    ("a_c", "abc", false, true), ("a_c", "ac", false, false), (#"100\%"#, "100%", false, true),
    (#"100\%"#, "1000", false, false), ("*é", "Été", true, true), ("", "", false, true), ("%", "", false, true),
    ("%a%a%a%a%a%a%a%a%b", String(repeating: "a", count: 5000), false, false),
  ])
  func matchesPatterns(_ pattern: String, _ text: String, _ ignoresCase: Bool, _ isMatch: Bool) {
    #expect(LikePattern(pattern, ignoresCase: ignoresCase).matches(text) == isMatch)
  }

  @Test(arguments: [
    ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000+00:00"),
    ("2026-01-02 03:04:05.123456789+02:00", "2026-01-02T01:04:05.123456+00:00"),
    ("2026-01-02", "2026-01-02T00:00:00.000000+00:00"),
    ("2026-01-02T03:04:05.5-0130", "2026-01-02T04:34:05.500000+00:00"),
  ])
  func parsesTimes(_ text: String, _ normal: String) { #expect(TimestampText.normalized(text) == normal) }

  @Test(arguments: ["", "yesterday", "2026-13-01", "2026-01-02T25:00:00Z", "2026-02-30", "2026-01-02T03:04:05Zz"])
  func refusesInvalidTimes(_ text: String) { #expect(TimestampText.normalized(text) == nil) }
}
