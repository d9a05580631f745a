import ClipModel
import GRDB

/// The journal's tables and their migrations. Released migrations must not be changed.
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
        // The time of the last use, as Unix time in seconds.
        table.column("usedAt", .integer).notNull()
        table.primaryKey(["device", "inode", "byteCount", "modifiedNanoseconds"])
      }
    }
    return migrator
  }

  /// Opens or creates the database and runs the migrations. Blocks.
  static func open(_ path: String) throws -> DatabaseQueue {
    do {
      return try open(path, isExclusive: false)
    } catch let error as DatabaseError where [.SQLITE_IOERR, .SQLITE_FULL].contains(error.resultCode) {
      // On a full disk, there is no space for the shared-memory file. An exclusive connection doesn't need this file.
      return try open(path, isExclusive: true)
    }
  }

  /// - Parameter isExclusive: whether to lock out other processes.
  private static func open(_ path: String, isExclusive: Bool) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    if isExclusive {
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    }
    // The default keeps the database's journal mode. Setting a mode would write to the full disk.
    configuration.journalMode = isExclusive ? .default : .wal
    // Other processes hold the lock only for milliseconds, so a longer wait indicates an error.
    configuration.busyMode = .timeout(10)
    configuration.label = "bsc journal"
    let database = try DatabaseQueue(path: path, configuration: configuration)
    if try database.read(migrator.hasBeenSuperseded) {
      throw ShareEngineError(.journalNewer, ["path": path])
    }
    try database.writeWithoutTransaction { database in
      // In WAL mode, GRDB sets `synchronous` to NORMAL, which can lose the latest stages in a power failure.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      #if canImport(Darwin)
      try database.execute(sql: "PRAGMA fullfsync = 1")
      #endif
    }
    try migrator.migrate(database)
    return database
  }
}
