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
      func begin(_ db: Database) throws { try SyncState.begin(family, owner: .null, in: db, now: fixture.clock.now) }
      try fixture.write(begin)
      if isFinished {
        try fixture.write { db in try SyncState.finish(family, owner: .null, in: db, now: fixture.clock.now) }
      }
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

  /// As in `supabase/tests/427_syncs.test.sql`.
  @Test func theOwnerKeepsTheLock() throws {
    try RecruitingFixture.run { fixture in
      let family = fixture.family.databaseValue
      let (one, two) = (RecruitingFixture.newID().databaseValue, RecruitingFixture.newID().databaseValue)
      func begin(_ owner: DatabaseValue) throws -> String? {
        try fixture.code { db in try SyncState.begin(family, owner: owner, in: db, now: fixture.clock.now) }
      }
      func renew(_ owner: DatabaseValue) throws -> String? {
        try fixture.code { db in try SyncState.renew(family, owner: owner, in: db, now: fixture.clock.now) }
      }
      func finish(_ owner: DatabaseValue) throws {
        try fixture.write { db in try SyncState.finish(family, owner: owner, in: db, now: fixture.clock.now) }
      }
      #expect(try begin(one) == nil)
      // The response was lost.
      #expect(try begin(one) == nil)
      #expect(try begin(two) == "PT429")
      #expect(try begin(.null) == "PT429")
      try finish(two)
      try finish(.null)
      #expect(try renew(one) == nil)
      #expect(try renew(two) == "PT409")
      // A long sync keeps the lock if it stores something.
      fixture.clock.advance(540)
      #expect(try renew(one) == nil)
      fixture.clock.advance(540)
      #expect(try begin(two) == "PT429")
      fixture.clock.advance(61)
      #expect(try begin(two) == nil)
      #expect(try renew(one) == "PT409")
      try finish(one)
      #expect(try renew(two) == nil)
      try finish(two)
      #expect(try renew(two) == "PT409")
      #expect(try begin(two) == "PT429")
    }
  }

  /// A database of the version before.
  @Test func earlierStateIsKept() throws {
    try RecruitingFixture.run { fixture in
      try fixture.write { db in
        try db.execute(sql: "DROP TABLE social_cursors; DROP TABLE social_syncs")
        try SyncState.create(db)
        try db.execute(
          sql: """
            INSERT INTO social_cursors VALUES (?, 'twitter', 'coach', '7', '12', '2026-01-01T00:00:00.000000+00:00', NULL)
            """, arguments: [fixture.family])
        try SyncState.addOwners(db)
      }
      let row = try #require(try fixture.read { db in try Row.fetchOne(db, sql: "SELECT * FROM social_cursors") })
      let stored: [String] = [row["handle"], row["external_id"], row["since_id"]]
      let position: String? = row["page_position"]
      #expect(stored == ["coach", "7", "12"] && position == nil)
    }
  }

  @Test func aHandleThatWasNotReadKeepsItsPosition() throws {
    try RecruitingFixture.run { fixture in
      let handle = [
        "family_unit_id": fixture.family.databaseValue, "platform": "twitter".databaseValue,
        "handle": "coach".databaseValue,
      ]
      /// The error, the time, the position and the newest post after the state was saved.
      func save(_ values: [String: DatabaseValue], wasRead: Bool) throws -> [String?] {
        let row = try fixture.write { db in
          try SyncState.save(handle.merging(values) { $1 }, wasRead: wasRead, in: db, now: fixture.clock.now)
          return try Row.fetchOne(db, sql: "SELECT * FROM social_cursors")
        }
        let stored = try #require(row)
        return ["last_error", "last_synced_at", "page_position", "newest_id"].map { stored[$0] as String? }
      }
      #expect(
        try save(["last_error": "rate-limited".databaseValue], wasRead: false) == ["rate-limited", nil, nil, nil])
      let read = try save(
        ["page_position": "40".databaseValue, "newest_id": "90".databaseValue], wasRead: true)
      #expect(read[1] != nil && read[2...] == ["40", "90"])
      fixture.clock.advance(60)
      #expect(
        try save(["last_error": "rate-limited".databaseValue, "since_id": "6".databaseValue], wasRead: false)
          == ["rate-limited", read[1], "40", "90"])
      #expect(try fixture.count("SELECT count(*) FROM social_cursors WHERE since_id IS NULL") == 1)
      let finished = try save(["since_id": "90".databaseValue], wasRead: true)
      #expect(finished[1] != read[1] && finished[2...] == [nil, nil])
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
