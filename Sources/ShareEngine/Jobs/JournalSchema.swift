import ClipModel
import GRDB

/// The journal's tables, and how older ones become today's. Migrations are never edited, only added.
enum JournalSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 jobs") { database in
      try database.create(table: "job", options: .strict) { table in
        table.primaryKey("id", .text)
        table.column("sourcePath", .text).notNull()
        table.column("sourceSHA256", .text).notNull().indexed()
        table.column("backend", .text).notNull()
        table.column("stage", .text).notNull()
        table.column("isFinal", .integer).notNull()
        table.column("createdAt", .integer).notNull()
        table.column("updatedAt", .integer).notNull()
        table.column("job", .text).notNull()
      }
    }
    migrator.registerMigration("2 digests") { database in
      try database.create(table: "digest", options: [.strict, .withoutRowID]) { table in
        table.column("device", .integer).notNull()
        table.column("inode", .integer).notNull()
        table.column("byteCount", .integer).notNull()
        table.column("modifiedNanoseconds", .integer).notNull()
        table.column("sha256", .text).notNull()
        // Unix seconds.
        table.column("usedAt", .integer).notNull()
        table.primaryKey(["device", "inode", "byteCount", "modifiedNanoseconds"])
      }
    }
    return migrator
  }

  /// Opens or creates the file and brings it up to date. Blocks.
  static func open(_ path: String) throws -> DatabaseQueue {
    do {
      return try open(path, alone: false)
    } catch let error as DatabaseError where [.SQLITE_IOERR, .SQLITE_FULL].contains(error.resultCode) {
      // A full disk has no room for the file that processes share; who is alone needs none, and can look and tidy up.
      return try open(path, alone: true)
    }
  }

  /// - Parameter alone: no other process may have it open.
  private static func open(_ path: String, alone: Bool) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    if alone {
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    }
    // A journal that is there stays in its mode; setting it would write.
    configuration.journalMode = alone ? .default : .wal
    // Other processes write for milliseconds; one that stands still this long is an error to report.
    configuration.busyMode = .timeout(10)
    configuration.label = "bsc journal"
    let database = try DatabaseQueue(path: path, configuration: configuration)
    if try database.read(migrator.hasBeenSuperseded) {
      throw ShareEngineError(.journalNewer, ["path": path])
    }
    try database.writeWithoutTransaction { database in
      // GRDB sets NORMAL when it turns on the WAL: a power cut could then undo the last stages.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      #if canImport(Darwin)
        try database.execute(sql: "PRAGMA fullfsync = 1")
      #endif
    }
    try migrator.migrate(database)
    return database
  }
}
