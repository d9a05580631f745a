import GRDB

/// A change to the database schema. Released migrations are never edited; each further change is a new migration.
struct Migration: Sendable {
  /// The migration's position in the schema's history, across all modules. A new migration gets the next free number.
  let number: Int
  let title: String
  let run: @Sendable (Database) throws -> Void
}

extension [ServerModule] {
  /// The migrations of all modules, ordered by number.
  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in flatMap(\.migrations).sorted(by: { $0.number < $1.number }) {
      migrator.registerMigration("\(migration.number) \(migration.title)", migrate: migration.run)
    }
    return migrator
  }
}
