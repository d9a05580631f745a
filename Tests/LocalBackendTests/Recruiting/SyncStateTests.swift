import Foundation
import GRDB
import Testing

@testable import LocalBackend

/// The pauses between syncs, as in `supabase/tests/420_posts.test.sql`.
@Suite(.timeLimit(.minutes(10))) struct SyncStateTests {
  @Test(arguments: [
    (0.0, true, "300" as String?), (240, true, "60"), (299.5, true, "1"), (300, true, nil), (540, false, "60"),
    (600, false, nil),
  ])
  func oneSyncAtATime(_ seconds: Double, isFinished: Bool, wait: String?) throws {
    try RecruitingFixture.run { fixture in
      let family = fixture.family.databaseValue
      func begin(_ db: Database) throws { try SyncState.begin(family, in: db, now: fixture.clock.now) }
      try fixture.write(begin)
      if isFinished { try fixture.write { db in try SyncState.finish(family, in: db, now: fixture.clock.now) } }
      fixture.clock.advance(seconds)
      var hint: String?
      do { try fixture.write(begin) } catch let failure as PostgRESTFailure {
        #expect(failure.code == "PT429")
        hint = failure.hint
      }
      // The stored start is rounded down to a microsecond.
      #expect(hint == wait)
    }
  }

  @Test func aFailureKeepsThePlaceOfAHandle() throws {
    try RecruitingFixture.run { fixture in
      let handle = [
        "family_unit_id": fixture.family.databaseValue, "platform": "twitter".databaseValue,
        "handle": "@Coach".databaseValue,
      ]
      func save(_ values: [String: DatabaseValue]) throws {
        try fixture.write { db in
          try SyncState.save(handle.merging(values) { $1 }, in: db, now: fixture.clock.now)
        }
      }
      try save(["external_id": "7".databaseValue, "since_id": "12".databaseValue])
      try save(["last_error": String(repeating: "é", count: 600).databaseValue])
      let row = try #require(
        try fixture.read { db in try Row.fetchOne(db, sql: "SELECT * FROM social_cursors") })
      let stored: [String] = [row["handle"], row["since_id"], row["external_id"]]
      #expect(stored == ["coach", "12", "7"])
      let error: String? = row["last_error"]
      #expect(error?.unicodeScalars.count == 500)
    }
  }
}
