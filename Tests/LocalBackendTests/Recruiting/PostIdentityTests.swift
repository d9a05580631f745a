import GRDB
import Testing

@testable import LocalBackend

/// Posts that earlier versions stored twice, as in `supabase/tests/425_post_identity.test.sql`.
@Suite(.timeLimit(.minutes(10))) struct PostIdentityTests {
  private struct Stored: Equatable {
    var id: String
    var coach: String?
    var isFlagged: Bool
    var notes: String?
  }

  /// The limit is 5,000 characters, which can be more code points.
  private static let longNotes = String(repeating: "e\u{301}", count: 5000)

  @Test func samePostsAreMerged() throws {
    try RecruitingFixture.run { fixture in
      try fixture.write { db in
        try db.execute(sql: "DROP INDEX social_media_posts_identity; DROP INDEX dismissed_posts_identity")
        func add(_ id: String, _ address: String, _ day: Int, coach: String?, isFlagged: Bool, notes: String?) throws {
          try db.execute(
            sql: """
              INSERT INTO social_media_posts (
                id, family_unit_id, coach_id, platform, post_url, post_content, post_date, author_handle, author_name,
                is_recruiting_related, flagged_for_review, notes, created_at, updated_at)
              VALUES (?1, ?2, ?3, 'twitter', ?4, 'x', ?5, 'a', 'A', FALSE, ?6, ?7, ?5, ?5)
              """,
            arguments: [
              id, fixture.family, coach, "https://twitter.com/" + address, "2026-01-0\(day)T00:00:00.000000+00:00",
              isFlagged, notes,
            ])
        }
        try add("z-first", "a/status/7", 1, coach: nil, isFlagged: false, notes: "one")
        try add("b-second", "b/status/7", 2, coach: fixture.coach, isFlagged: true, notes: nil)
        try add("a-third", "c/status/7", 3, coach: nil, isFlagged: false, notes: "two")
        try add("long", "a/status/9", 1, coach: nil, isFlagged: false, notes: Self.longNotes)
        try add("long-too", "b/status/9", 2, coach: nil, isFlagged: false, notes: nil)
        try add("alone", "a/status/8", 1, coach: nil, isFlagged: false, notes: "kept")
        // The user removed one of the rows of the second post.
        try db.execute(
          sql: "INSERT INTO dismissed_posts VALUES (?1, 'https://twitter.com/b/status/8', server_time())",
          arguments: [fixture.family])
        try PostTables.mergeSamePosts(db)
      }
      let rows = try fixture.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM social_media_posts ORDER BY post_url").map {
          Stored(id: $0["id"], coach: $0["coach_id"], isFlagged: $0["flagged_for_review"], notes: $0["notes"])
        }
      }
      #expect(
        rows == [
          Stored(id: "z-first", coach: fixture.coach, isFlagged: true, notes: "one\ntwo"),
          Stored(id: "alone", coach: nil, isFlagged: false, notes: "kept"),
          Stored(id: "long", coach: nil, isFlagged: false, notes: Self.longNotes),
        ])
      #expect(try fixture.count("SELECT count(*) FROM dismissed_posts") == 0)
    }
  }
}
