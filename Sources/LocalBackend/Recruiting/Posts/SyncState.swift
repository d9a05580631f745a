#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The state of the sync: the newest post that was read of each handle, and the time of a family's last sync. Requests
/// reach these tables only through functions.
enum SyncState {
  private static let cursors = TableSchema(
    name: "social_cursors",
    columns: [
      SocialTables.column("family_unit_id", .uuid), PostTables.platform, SocialTables.column("handle", .text),
      identifier("external_id", limit: 64), identifier("since_id", limit: 64),
      SocialTables.column("last_synced_at", .timestamp), identifier("last_error", limit: errorLimit),
    ],
    checks: [
      TableSchema.CheckConstraint(name: "social_cursors_check") { row in
        guard let handle = row.text("handle"), let platform = SocialPlatform(rawValue: row.text("platform") ?? "")
        else {
          return true
        }
        return CoachTables.isHandle(handle, on: platform)
      }
    ],
    rules: RowRules())

  private static let errorLimit = 500
  /// The time between two syncs of a family, in seconds.
  private static let pause = 300.0
  /// A sync that has not ended after this time was killed. In seconds.
  private static let longest = 600.0

  private static func identifier(_ name: String, limit: Int) -> TableSchema.Column {
    SocialTables.column(name, .text).allowingNull().check { (text: String) in
      (1...limit).contains(text.unicodeScalars.count)
    }
  }

  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE social_cursors (
          family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE, platform TEXT NOT NULL,
          handle TEXT NOT NULL, external_id TEXT, since_id TEXT, last_synced_at TEXT NOT NULL, last_error TEXT,
          PRIMARY KEY (family_unit_id, platform, handle));
        CREATE TABLE social_syncs (
          family_unit_id TEXT PRIMARY KEY NOT NULL REFERENCES family_units (id) ON DELETE CASCADE,
          started_at TEXT NOT NULL, finished_at TEXT);
        """)
  }

  /// Starts a sync: one per family at a time, and at most one in five minutes.
  /// - Throws: PT429 with the seconds to wait as the hint.
  static func begin(_ family: DatabaseValue, in db: Database, now: Date) throws {
    let row = try Row.fetchOne(
      db, sql: "SELECT started_at, finished_at FROM social_syncs WHERE family_unit_id = ?", arguments: [family])
    let started = (row?["started_at"] as String?).flatMap(RecruitingDate.parse)
    if let row, let started {
      let isRunning = (row["finished_at"] as String?) == nil
      let free = started.addingTimeInterval(isRunning ? longest : pause)
      if free > now {
        throw PostgRESTFailure(
          .tooManyRequests, "PT429", "please wait a few minutes before syncing again",
          hint: "\(max(1, Int(free.timeIntervalSince(now).rounded(.up))))")
      }
    }
    try db.execute(
      sql: """
        INSERT INTO social_syncs VALUES (?1, ?2, NULL)
        ON CONFLICT (family_unit_id) DO UPDATE SET started_at = ?2, finished_at = NULL
        """, arguments: [family, timestampText(now)])
  }

  static func finish(_ family: DatabaseValue, in db: Database, now: Date) throws {
    try db.execute(
      sql: "UPDATE social_syncs SET finished_at = ? WHERE family_unit_id = ? AND finished_at IS NULL",
      arguments: [timestampText(now), family])
  }

  /// Stores the state of a handle after a sync. A failure keeps `since_id`, so that the next sync reads the same posts.
  /// - Parameter values: the columns that the caller sets.
  static func save(_ values: [String: DatabaseValue], in db: Database, now: Date) throws {
    var row = NewRow(values: values)
    row["handle"] = (row.text("handle").map { cleaned($0, row.text("platform")) }).databaseValue
    row["last_synced_at"] = timestampText(now).databaseValue
    row["last_error"] =
      (row.text("last_error").map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(errorLimit))) })
      .databaseValue
    try RowWriter(db: db, caller: .service, now: now).checkValues(row, cursors)
    try db.execute(
      sql: """
        INSERT INTO social_cursors VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
          external_id = coalesce(excluded.external_id, external_id), since_id = coalesce(excluded.since_id, since_id),
          last_synced_at = excluded.last_synced_at, last_error = excluded.last_error
        """, arguments: StatementArguments(cursors.columns.map { row[$0.name] }))
  }

  private static func cleaned(_ handle: String, _ platform: String?) -> String {
    guard let platform = SocialPlatform(rawValue: platform ?? ""),
      let name = try? SocialHandle(handle, on: platform).name
    else { return handle }
    return name.lowercased()
  }

  static let handleTable = TableSchema.result(
    "sync_handles",
    [
      SocialTables.column("platform", .text), SocialTables.column("handle", .text),
      SocialTables.column("external_id", .text), SocialTables.column("since_id", .text),
      SocialTables.column("last_synced_at", .timestamp), SocialTables.column("last_error", .text),
    ])

  /// Selects the handles of the coaches and schools that are not archived, with their state.
  static func handles(of family: DatabaseValue) -> RowStore.Restriction {
    RowStore.Restriction(
      source: { statement in
        let id = statement.bind(family)
        let handles = ["coaches", "schools"].flatMap { table in
          SocialPlatform.allCases.map { platform in
            """
            SELECT '\(platform.rawValue)' AS platform, lower(\(platform.rawValue)_handle) AS handle FROM \(table)
            WHERE family_unit_id = \(id) AND archived_at IS NULL
            """
          }
        }
        return """
          SELECT h.platform, h.handle, c.external_id, c.since_id, c.last_synced_at, c.last_error
          FROM (\(handles.joined(separator: " UNION "))) AS h
          LEFT JOIN social_cursors AS c
            ON c.family_unit_id = \(id) AND c.platform = h.platform AND c.handle = h.handle
          WHERE h.handle IS NOT NULL
          """
      }, order: { _, alias in "ORDER BY \(alias).platform, \(alias).handle" })
  }
}
#endif
