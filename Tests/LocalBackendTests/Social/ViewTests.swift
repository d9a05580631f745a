import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// Views of visitors. Scenarios can't distinguish them, because all clients have the same address.
@Suite(.timeLimit(.minutes(10))) struct ViewTests {
  private static func withStore(_ test: (ServerStore, WallClock) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/bsc-views-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = WallClock()
    let store = try ServerStore(path: folder + "/backend.sqlite", now: { clock.now })
    try store.database.write { db in
      for number in 0...ViewRecorder.hourlyLimit {
        try db.execute(
          sql: """
            INSERT INTO highlights (id, author_id, mux_playback_id, duration, rally_metadata, created_at)
            VALUES (?, ?, 'PB', 10, '{}', server_time())
            """, arguments: ["h\(number)", Caller.localUserID])
      }
    }
    try test(store, clock)
  }

  private static func view(
    _ highlight: Int = 0, from address: String, _ store: ServerStore, _ clock: WallClock, watched: Double = 5
  ) throws {
    try store.database.write { db in
      try ViewRecorder(caller: .anonymous, address: address, now: clock.now)
        .record("h\(highlight)".databaseValue, watched: watched, in: db)
    }
  }

  private static func viewers(_ store: ServerStore) throws -> [String] {
    try store.database.read { db in try String.fetchAll(db, sql: "SELECT DISTINCT viewer FROM view_events") }
  }

  @Test func visitorsAreCountedByAddressWithoutStoringIt() throws {
    try Self.withStore { store, clock in
      for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:0:1::2", "2001:db8:0:1::1"] {
        try Self.view(from: address, store, clock)
      }
      let viewers = try Self.viewers(store)
      #expect(viewers.count == 4)
      #expect(viewers.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }
  }

  @Test func theKeyOfAVisitorChangesDaily() throws {
    try Self.withStore { store, clock in
      try Self.view(from: "192.0.2.1", store, clock)
      clock.advance(86_400)
      try Self.view(from: "192.0.2.1", store, clock)
      #expect(try Self.viewers(store).count == 2)
      clock.advance(3 * 86_400)
      _ = try store.database.write { db in try ViewSums.aggregate(in: db, now: clock.now) }
      #expect(try Self.viewers(store).isEmpty)
      let salts = try store.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM view_salts") }
      #expect(salts == 0)
    }
  }

  @Test func aViewerCountsForALimitedNumberOfHighlights() throws {
    try Self.withStore { store, clock in
      for number in 0...ViewRecorder.hourlyLimit { try Self.view(number, from: "192.0.2.1", store, clock) }
      let count = try store.database.write { db in try ViewSums.aggregate(in: db, now: clock.now) }
      #expect(count == ViewRecorder.hourlyLimit)
    }
  }

  /// Views, completions and seconds of all days.
  private static func sums(_ store: ServerStore, _ clock: WallClock) throws -> String? {
    try store.database.write { db in
      _ = try ViewSums.aggregate(in: db, now: clock.now)
      return try String.fetchOne(
        db, sql: "SELECT sum(views) || ' ' || sum(completions) || ' ' || sum(watched_seconds) FROM highlight_stats")
    }
  }

  @Test(arguments: [
    ([5.0, 12.0], "1 1 10.0"), ([3.0, 5.0], "1 0 5.0"), ([9.5, 10.0], "1 1 10.0"), ([5.0, 3.0, 5.0], "1 0 5.0"),
  ])
  func aViewThatContinuesAddsTheRest(_ playbacks: [Double], sums: String) throws {
    try Self.withStore { store, clock in
      for watched in playbacks {
        try Self.view(from: "192.0.2.1", store, clock, watched: watched)
        _ = try Self.sums(store, clock)
      }
      #expect(try Self.sums(store, clock) == sums)
    }
  }

  @Test func viewsThatAnEarlierVersionCountedAreNotCountedAgain() throws {
    try Self.withStore { store, clock in
      try Self.view(from: "192.0.2.1", store, clock)
      _ = try Self.sums(store, clock)
      try store.database.write { db in
        try db.execute(
          sql: """
            DROP INDEX view_events_new;
            ALTER TABLE view_events DROP COLUMN counted_seconds;
            CREATE INDEX view_events_new ON view_events (highlight_id);
            """)
        try ViewMigration.addCountedSeconds(db)
      }
      try Self.view(from: "192.0.2.1", store, clock, watched: 8)
      #expect(try Self.sums(store, clock) == "1 0 8.0")
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::1", ":::"), ("2001:db8::1", "2001:db8::"),
    ("2001:0db8:1:2:3:4:5:6", "2001:db8:1:2"),
    ("fe80::1%eth0", "fe80:::"), ("fe80::1%eth0.5", "fe80:::"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("", ""),
  ])
  func halfOfAnIPv6AddressIdentifiesAVisitor(_ address: String, network: String) {
    #expect(ViewRecorder.network(of: address) == network)
  }
}
