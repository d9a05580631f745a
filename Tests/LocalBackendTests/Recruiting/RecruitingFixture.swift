import Foundation
import GRDB

@testable import LocalBackend

/// A database with a family: the athlete Ann, the parent Pam, and a coach. Eve belongs to no family.
struct RecruitingFixture {
  let store: ServerStore
  let clock: WallClock
  let ann = Self.newID()
  let pam = Self.newID()
  let eve = Self.newID()
  let family = Self.newID()
  let coach = Self.newID()
  let clip = Self.newID()

  static func newID() -> String { UUID().uuidString.lowercased() }

  static func run(_ test: (RecruitingFixture) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/bsc-recruiting-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = WallClock()
    let fixture = RecruitingFixture(
      store: try ServerStore(path: folder + "/backend.sqlite", now: { clock.now }), clock: clock)
    try fixture.prepare()
    try test(fixture)
  }

  func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try store.database.write(body) }
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try store.database.read(body) }
  func count(_ sql: String) throws -> Int { try read { db in try Int.fetchOne(db, sql: sql) ?? 0 } }

  /// The error code of an operation, or `nil` if it succeeds.
  func code(of operation: (Database) throws -> Void) throws -> String? {
    do {
      try write(operation)
      return nil
    } catch let failure as PostgRESTFailure {
      return failure.code
    }
  }

  func families(_ user: String, _ db: Database) -> Families { Families(user: user, db: db, now: clock.now) }

  /// A request of Ann to send her clip to the coach.
  func linkRequest(
    _ id: String = newID(), token: String = newID(), validFor seconds: Double = 3600
  ) -> HighlightLinkRequest {
    HighlightLinkRequest(
      user: ann, id: id.databaseValue, token: token, family: family.databaseValue, highlight: clip.databaseValue,
      coach: coach.databaseValue, channel: "email".databaseValue,
      expiresAt: timestampText(clock.now.addingTimeInterval(seconds)))
  }

  private func prepare() throws {
    try write { db in
      for (id, name) in [(ann, "Ann"), (pam, "Pam"), (eve, "Eve")] {
        try db.execute(sql: "INSERT INTO auth_users (id, created_at) VALUES (?, server_time())", arguments: [id])
        try db.execute(
          sql: "INSERT INTO profiles (id, display_name, username, created_at) VALUES (?1, ?2, ?2, server_time())",
          arguments: [id, name])
      }
      let writer = RowWriter(db: db, caller: .service, now: clock.now)
      let family = family.databaseValue
      try writer.insert(["id": family, "name": "home".databaseValue], into: FamilyTables.units)
      for (user, role) in [(ann, "athlete"), (pam, "parent")] {
        try writer.insert(
          ["family_unit_id": family, "user_id": user.databaseValue, "role": role.databaseValue],
          into: FamilyTables.members)
      }
      try writer.insert(
        [
          "id": coach.databaseValue, "family_unit_id": family, "first_name": "John".databaseValue,
          "last_name": "Smith".databaseValue,
        ], into: CoachTables.coaches)
      try db.execute(
        sql: """
          INSERT INTO highlights (id, author_id, mux_playback_id, duration, rally_metadata, created_at)
          VALUES (?, ?, 'PB', 10, '{}', server_time())
          """, arguments: [clip, ann])
    }
  }
}
