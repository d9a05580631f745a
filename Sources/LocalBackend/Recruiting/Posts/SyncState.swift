#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The state of the sync: the newest post that was read of each handle, and the owner and the time of a family's last sync.
/// Requests reach these tables only through functions.
enum SyncState {
  private static let cursors = TableSchema(
    name: "social_cursors",
    columns: [
      SocialTables.column("family_unit_id", .uuid), PostTables.platform, SocialTables.column("handle", .text),
      identifier("external_id", limit: 64), identifier("since_id", limit: 64),
      SocialTables.column("last_synced_at", .timestamp).allowingNull(), identifier("last_error", limit: errorLimit),
      identifier("page_position", limit: 500), identifier("newest_id", limit: 64),
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
  /// A sync that has stored nothing for this time was killed. In seconds.
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

  /// Adds the owner of a sync, the position inside the pages of a handle, and handles that were not read yet.
  static func addOwners(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE social_syncs ADD COLUMN owner TEXT;
        ALTER TABLE social_syncs ADD COLUMN renewed_at TEXT;
        CREATE TABLE moved_cursors (
          family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE, platform TEXT NOT NULL,
          handle TEXT NOT NULL, external_id TEXT, since_id TEXT, last_synced_at TEXT, last_error TEXT,
          page_position TEXT, newest_id TEXT, PRIMARY KEY (family_unit_id, platform, handle));
        INSERT INTO moved_cursors
          SELECT family_unit_id, platform, handle, external_id, since_id, last_synced_at, last_error, NULL, NULL
          FROM social_cursors;
        DROP TABLE social_cursors;
        ALTER TABLE moved_cursors RENAME TO social_cursors;
        """)
  }

  /// Starts a sync: one per family at a time, and at most one in five minutes. A repeated start of the same owner is the same
  /// sync.
  /// - Parameter owner: the ID that the client of the sync repeats. Null for a client that doesn't repeat a start.
  /// - Throws: PT429 with the seconds to wait as the hint.
  static func begin(_ family: DatabaseValue, owner: DatabaseValue, in db: Database, now: Date) throws {
    let row = try Row.fetchOne(
      db, sql: "SELECT started_at, renewed_at, finished_at, owner FROM social_syncs WHERE family_unit_id = ?",
      arguments: [family])
    if let row, let started = (row["started_at"] as String?).flatMap(RecruitingDate.parse) {
      let isRunning = (row["finished_at"] as String?) == nil
      let renewed = (row["renewed_at"] as String?).flatMap(RecruitingDate.parse) ?? started
      let isRepeated = isRunning && !owner.isNull && (row["owner"] as DatabaseValue) == owner
      let free = isRunning ? renewed.addingTimeInterval(longest) : started.addingTimeInterval(pause)
      if free > now, !isRepeated {
        throw PostgRESTFailure(
          .tooManyRequests, "PT429", "please wait a few minutes before syncing again",
          hint: "\(max(1, Int(free.timeIntervalSince(now).rounded(.up))))")
      }
    }
    try db.execute(
      sql: """
        INSERT INTO social_syncs (family_unit_id, started_at, finished_at, owner, renewed_at) VALUES (?1, ?2, NULL, ?3, ?2)
        ON CONFLICT (family_unit_id) DO UPDATE SET started_at = ?2, finished_at = NULL, owner = ?3, renewed_at = ?2
        """, arguments: [family, timestampText(now), owner])
  }

  /// Renews the lock of a sync. Does nothing without an owner.
  /// - Throws: PT409 with the hint `sync_lost` if another sync has started, or if the sync has ended.
  static func renew(_ family: DatabaseValue, owner: DatabaseValue, in db: Database, now: Date) throws {
    if owner.isNull { return }
    try db.execute(
      sql: "UPDATE social_syncs SET renewed_at = ? WHERE family_unit_id = ? AND owner = ? AND finished_at IS NULL",
      arguments: [timestampText(now), family, owner])
    if db.changesCount > 0 { return }
    throw PostgRESTFailure(
      .conflict, "PT409", "another sync of the family has started, or the sync has ended", hint: "sync_lost")
  }

  /// Ends the sync of the owner.
  static func finish(_ family: DatabaseValue, owner: DatabaseValue, in db: Database, now: Date) throws {
    try db.execute(
      sql: "UPDATE social_syncs SET finished_at = ? WHERE family_unit_id = ? AND owner IS ? AND finished_at IS NULL",
      arguments: [timestampText(now), family, owner])
  }

  private static let readColumns = """
    , external_id = coalesce(excluded.external_id, external_id), since_id = coalesce(excluded.since_id, since_id),
    last_synced_at = excluded.last_synced_at, page_position = excluded.page_position, newest_id = excluded.newest_id
    """

  /// Stores the state of a handle. A failure keeps `since_id`, so that the next sync reads the same posts.
  /// - Parameters:
  ///   - values: the columns that the caller sets.
  ///   - wasRead: `false` if a limit stopped the sync before the handle. Then only the error changes.
  static func save(_ values: [String: DatabaseValue], wasRead: Bool = true, in db: Database, now: Date) throws {
    var row = NewRow(values: values)
    row["handle"] = (row.text("handle").map { cleaned($0, row.text("platform")) }).databaseValue
    row["last_synced_at"] = wasRead ? timestampText(now).databaseValue : .null
    row["last_error"] =
      (row.text("last_error").map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(errorLimit))) })
      .databaseValue
    try RowWriter(db: db, caller: .service, now: now).checkValues(row, cursors)
    try db.execute(
      sql: """
        INSERT INTO social_cursors VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
          last_error = excluded.last_error \(wasRead ? readColumns : "")
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
      SocialTables.column("page_position", .text), SocialTables.column("newest_id", .text),
    ])

  /// Selects the handles of the coaches and schools that are not archived, with their state. Those that were never read are
  /// first, then those that were not read for the longest time.
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
          SELECT h.platform, h.handle, c.external_id, c.since_id, c.last_synced_at, c.last_error, c.page_position, c.newest_id
          FROM (\(handles.joined(separator: " UNION "))) AS h
          LEFT JOIN social_cursors AS c
            ON c.family_unit_id = \(id) AND c.platform = h.platform AND c.handle = h.handle
          WHERE h.handle IS NOT NULL
          """
      }, order: { _, alias in "ORDER BY \(alias).last_synced_at, \(alias).platform, \(alias).handle" })
  }
}
#endif
