import ClipModel
import Foundation
import Testing

@testable import LocalBackend

/// Requests that crashed the server, or returned a wrong result, in a review.
@Suite(.timeLimit(.minutes(10))) struct HostileRowTests {
  @Test(arguments: [
    ("/rest/v1/profiles", "0-9223372036854775807"), ("/rest/v1/profiles", "9223372036854775807-9223372036854775807"),
    ("/rest/v1/profiles?offset=9223372036854775807&limit=9223372036854775807", ""),
    ("/rest/v1/rpc/discover_highlights?skip_rows=1&offset=9223372036854775807", ""),
    ("/?offset=9223372036854775807", ""),
  ])
  func largestNumbersDoNotOverflow(_ path: String, _ range: String) async throws {
    try await TestBackend.run { backend in
      let reply = try await backend.send("GET", path, headers: range.isEmpty ? [:] : ["Range": range])
      #expect([200, 206, 416].contains(reply.status))
      #expect(try await backend.send("GET", "/health").status == 200)
    }
  }

  @Test(arguments: [
    "éééééééééééééééé.1.abc", "..", "0123456789abcdef0123456789abcdef.1.x", String(repeating: "a", count: 9000),
  ])
  func malformedRefreshTokensAreRefused(_ token: String) async throws {
    try await TestBackend.run { backend in
      let reply = try await backend.send(
        "POST", "/auth/v1/token?grant_type=refresh_token", body: Array(#"{"refresh_token":"\#(token)"}"#.utf8))
      #expect(reply.status == 400 && reply.text.contains("refresh_token_not_found"))
    }
  }

  /// Texts and patterns that make a search slow don't occupy the database for long.
  @Test func slowSearchEndsAtDeadline() async throws {
    var options = TestBackend.Options()
    options.change = { $0.statementTimeout = .milliseconds(50) }
    try await TestBackend.run(options: options) { backend in
      let text = String(repeating: "a", count: 500)
      let session = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let bearer = AuthRoutesTests.bearer(session.accessToken)
      let family = try await backend.send(
        "POST", "/rest/v1/rpc/create_family", headers: bearer, body: Array(#"{"name":"x","role":"athlete"}"#.utf8)
      ).text.trimmingCharacters(in: ["\""])
      let posts = (1...40).map {
        """
        {"platform":"twitter","post_url":"https://x.com/a/status/\($0)","post_date":"2026-01-01T00:00:00Z",\
        "author_handle":"a","author_name":"a","post_content":"\(String(repeating: text, count: 200))"}
        """
      }
      let stored = try await backend.send(
        "POST", "/rest/v1/rpc/ingest_posts", headers: bearer,
        body: Array(#"{"family":"\#(family)","posts":[\#(posts.joined(separator: ","))]}"#.utf8))
      #expect(stored.status == 200, "\(stored.text)")
      let path = "/rest/v1/social_media_posts?select=id&post_content=ilike.*"
      let slow = try await backend.send("GET", path + text.dropLast(2) + "b", headers: bearer)
      #expect(slow.status == 500 && slow.text.contains("57014"), "\(slow.text)")
      let long = try await backend.send("GET", path + text + "b", headers: bearer)
      #expect(long.status == 400, "\(long.text)")
      #expect(try await backend.send("GET", "/health").status == 200)
    }
  }

  /// Times whose texts would not sort chronologically, or that readers can't parse.
  @Test(arguments: [
    "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "0000-01-01T00:00:00Z", "1500-02-29T00:00:00Z",
  ])
  func timesOutsideOfTheCalendarAreRefused(_ time: String) {
    #expect(TimestampText.normalized(time) == nil)
  }

  @Test(arguments: [
    (-62_135_769_600.0, "0001-01-01T00:00:00.000000+00:00"), (-1e300, "0001-01-01T00:00:00.000000+00:00"),
    (1e300, "9999-12-31T23:59:59.000000+00:00"), (-0.5, "1969-12-31T23:59:59.500000+00:00"),
    (1.25, "1970-01-01T00:00:01.250000+00:00"),
  ])
  func timestampsHaveFourDigits(_ seconds: Double, _ text: String) {
    #expect(timestampText(Date(timeIntervalSince1970: seconds)) == text)
  }

  /// 32 bytes, but fewer characters.
  @Test(arguments: [String(repeating: "%C3%A9", count: 16), String(repeating: "%0D%0A", count: 16)])
  func malformedIDsAreRefused(_ id: String) async throws {
    try await TestBackend.run { backend in
      let reply = try await backend.send("GET", "/rest/v1/profiles?id=eq.\(id)")
      #expect(reply.status == 400 && reply.text.contains("22P02"))
    }
  }

  /// Queries that exceed SQLite's limits get an error response.
  @Test(arguments: [
    "select=id,comments(comment_likes(id))", "select=id,poll:polls(options:poll_options(poll_votes(user:profiles(*))))",
    "or=(" + Array(repeating: "id.is.null", count: 1200).joined(separator: ",") + ")",
    "tags=cs.{" + Array(repeating: "a", count: 1200).joined(separator: ",") + "}",
  ])
  func tooComplexQueriesAreRefused(_ query: String) async throws {
    try await TestBackend.run { backend in
      let reply = try await backend.send("GET", "/rest/v1/highlights?\(query)")
      #expect(reply.status == 200 || reply.status == 400 && reply.text.contains("PGRST100"))
    }
  }

  @Test func reportsWhyTheTableRefusesADraft() async throws {
    try await TestBackend.run { backend in
      let accents = HighlightDraft.sample(caption: "a" + String(repeating: "\u{301}", count: 80_000))
      let reply = try await backend.open(accents)
      #expect(reply.status == 422 && reply.text.contains("caption has"))
      var tag = HighlightDraft.sample()
      tag.tags = ["a" + String(repeating: "\u{301}", count: 3000)]
      let second = try await backend.open(tag)
      #expect(second.status == 422)
    }
  }

  @Test func nullListsMatchNoListCondition() async throws {
    try await TestBackend.run { backend in
      _ = try await backend.publish(pattern(10))
      for (filter, count) in [
        ("cs.{z}", 0), ("not.cs.{z}", 0), ("ov.{z}", 0), ("not.ov.{z}", 0), ("cd.{z}", 0), ("not.cd.{z}", 0),
        ("is.null", 1), ("not.is.null", 0),
      ] {
        let rows: [Highlight] = try await backend.send("GET", "/rest/v1/highlights?video_urls=\(filter)").json()
        #expect(rows.count == count, "\(filter)")
      }
    }
  }

  /// Matches PostgREST, so that apps don't rely on a missing check.
  @Test func mergeRequiresUpdatePermissionWithoutAConflict() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(10))
      let body = #"{"user_id":"\#(Caller.localUserID)","highlight_id":"\#(highlight.id)"}"#
      func upsert(_ resolution: String) async throws -> Int {
        try await backend.send(
          "POST", "/rest/v1/likes?on_conflict=user_id,highlight_id", headers: ["Prefer": "resolution=\(resolution)"],
          body: Array(body.utf8)
        ).status
      }
      #expect(try await upsert("merge-duplicates") == 403)
      #expect(try await upsert("ignore-duplicates") == 201)
      #expect(try await upsert("ignore-duplicates") == 200)
    }
  }

  /// Filters, order and pages of the request apply to the function's result.
  @Test func functionLimitAppliesBeforeTheRequest() async throws {
    try await TestBackend.run { backend in
      for caption in ["one", "two", "three"] { _ = try await backend.publish(pattern(10), .sample(caption: caption)) }
      func captions(_ query: String) async throws -> [String?] {
        let rows: [Highlight] = try await backend.send(
          "GET", "/rest/v1/rpc/highlights_with_tag?tag=spike&max_rows=2&\(query)"
        ).json()
        return rows.map(\.caption)
      }
      #expect(try await captions("") == ["three", "two"])
      #expect(try await captions("order=caption.desc") == ["two", "three"])
      #expect(try await captions("caption=eq.one").isEmpty)
      #expect(try await captions("offset=1") == ["two"])
      let counted = try await backend.send(
        "GET", "/rest/v1/rpc/highlights_with_tag?tag=spike&max_rows=2", headers: ["Prefer": "count=exact"])
      #expect(counted.status == 200 && counted.headers["content-range"] == "0-1/2")
    }
  }

  @Test func emptyPageAfterTheLastRowIsNotAnError() async throws {
    try await TestBackend.run { backend in
      _ = try await backend.publish(pattern(10))
      for (offset, status) in [(1, 206), (2, 416)] {
        let reply = try await backend.send(
          "GET", "/rest/v1/highlights?offset=\(offset)", headers: ["Prefer": "count=exact"])
        #expect(reply.status == status)
      }
    }
  }
}
