import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// The parts of moderation that depend on time, and those that requests can't reach.
@Suite(.timeLimit(.minutes(10))) struct ModerationTests {
  private static func withStore(_ test: (ServerStore, WallClock) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/bsc-moderation-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = WallClock()
    let store = try ServerStore(path: folder + "/backend.sqlite", now: { clock.now })
    try store.database.write { db in
      for name in ["eve", "mod"] {
        try db.execute(sql: "INSERT INTO auth_users (id, created_at) VALUES (?, server_time())", arguments: [name])
        try db.execute(
          sql: "INSERT INTO profiles (id, display_name, username, created_at) VALUES (?1, ?1, ?1, server_time())",
          arguments: [name])
      }
    }
    try test(store, clock)
  }

  /// Decides about eve's profile.
  @discardableResult
  private static func decide(_ action: String, _ store: ServerStore, _ clock: WallClock) throws -> Decision.Consequence
  {
    try store.database.write { db in
      try Decision(
        moderator: "mod", action: action, targetType: "user_profile", target: "eve", reason: "x".databaseValue,
        now: clock.now
      ).apply(in: db)
    }
  }

  private static func restriction(_ store: ServerStore) throws -> String? {
    try store.database.read { db in try AccountRestriction.end(ofAccount: "eve", in: db) }
  }

  @Test func restrictionsEndAndOffensesExpire() throws {
    try Self.withStore { store, clock in
      #expect(try Self.decide("warn", store, clock).action == "warn")
      clock.advance(1)
      let first = try Self.decide("warn", store, clock)
      #expect(first.until == timestampText(clock.now.addingTimeInterval(7 * 86_400)))
      clock.advance(6 * 86_400)
      #expect(try Self.restriction(store) == first.until)
      clock.advance(86_400 + 1)
      #expect(try Self.restriction(store) == nil)
      let second = try Self.decide("restrict", store, clock)
      #expect(second.until == timestampText(clock.now.addingTimeInterval(30 * 86_400)))
      clock.advance(91 * 86_400)
      #expect(try Self.decide("warn", store, clock).action == "warn")
    }
  }

  @Test func aLaterRestrictionDoesNotShortenAnEarlierOne() throws {
    try Self.withStore { store, clock in
      try Self.decide("warn", store, clock)
      let end = timestampText(clock.now.addingTimeInterval(20 * 86_400))
      try store.database.write { db in
        try db.execute(
          sql:
            "INSERT INTO moderation_actions VALUES ('1', 'mod', 'eve', 'restrict', 'user_profile', 'eve', 'x', ?, ?)",
          arguments: [end, timestampText(clock.now.addingTimeInterval(-91 * 86_400))])
      }
      #expect(try Self.decide("restrict", store, clock).until == end)
    }
  }

  @Test func theLogOnlyGrows() throws {
    try Self.withStore { store, clock in
      try Self.decide("warn", store, clock)
      for statement in ["UPDATE moderation_actions SET reason = 'y'", "DELETE FROM moderation_actions"] {
        #expect(throws: DatabaseError.self, "\(statement)") {
          try store.database.write { db in try db.execute(sql: statement) }
        }
      }
      try store.database.write { db in try db.execute(sql: "DELETE FROM auth_users") }
      let reasons = try store.database.read { db in
        try String.fetchAll(db, sql: "SELECT reason FROM moderation_actions")
      }
      #expect(reasons == ["x"])
    }
  }

  @Test func theOwnerOfTheServerModerates() async throws {
    try await TestBackend.run { backend in
      let queue = "/rest/v1/rpc/moderation_queue"
      let owner = AuthRoutesTests.bearer(backend.server.address.ownerToken)
      let ann = AuthRoutesTests.bearer(try await AuthRoutesTests.signUp(backend, "ann@example.org").accessToken)
      #expect(try await backend.send("GET", queue, headers: owner).text == "[]")
      #expect(try await backend.send("GET", queue, headers: ann).status == 403)
    }
  }
}
