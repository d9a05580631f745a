import GRDB

/// One change of the database schema. A released migration is never edited; each change is a new one.
struct Migration: Sendable {
  /// The position in the database's history, across all modules. A new migration gets the next free number.
  let number: Int
  let title: String
  let run: @Sendable (Database) throws -> Void
}

extension [ServerModule] {
  /// The migrations of all modules in the order of their numbers.
  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in flatMap(\.migrations).sorted(by: { $0.number < $1.number }) {
      migrator.registerMigration("\(migration.number) \(migration.title)", migrate: migration.run)
    }
    return migrator
  }
}
