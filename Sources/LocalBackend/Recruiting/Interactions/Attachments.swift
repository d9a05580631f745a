#if Recruiting
import ClipModel
import Foundation
import GRDB

/// The files of the bucket `attachments`: pictures that belong to interactions. The database stores them, so they are
/// deleted with their interactions. Accounts that see an interaction see its files, and only the account that logged it writes them.
struct AttachmentStore: Sendable {
  let database: DatabasePool
  let now: @Sendable () -> Date

  /// The maximum size of a file in bytes, as in the bucket's settings.
  static let byteLimit = 4 << 20
  /// The maximum number of an interaction's files, as in the bucket's policy.
  private static let countLimit = 20

  static func createTable(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE attachments (
          interaction_id TEXT NOT NULL REFERENCES interactions (id) ON DELETE CASCADE, name TEXT NOT NULL,
          media_type TEXT NOT NULL, bytes BLOB NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (interaction_id, name))
        """)
  }

  /// - Returns: the file, or `nil` if it doesn't exist or the caller can't see its interaction.
  func read(_ file: Attachment, for caller: Caller) async throws -> (type: String, bytes: Data)? {
    try await database.read { db in
      guard try Self.isAllowed(RowRules.isOwnOrParents("logged_by"), file, caller, db) else { return nil }
      let row = try Row.fetchOne(
        db, sql: "SELECT media_type, bytes FROM attachments WHERE interaction_id = ? AND name = ?",
        arguments: [file.interaction, file.name])
      return row.map { ($0["media_type"], $0["bytes"]) }
    }
  }

  /// Stores a file.
  /// - Parameters:
  ///   - replaces: whether the file may exist.
  ///   - isListed: whether the file is also added to the interaction's list. If the list is full, nothing is stored.
  func store(
    _ picture: StillPicture, as file: Attachment, for caller: Caller, replaces: Bool, isListed: Bool = false
  ) async throws {
    let time = timestampText(now())
    try await database.write { db in
      guard try Self.isAllowed(RowRules.isOwnInFamily("logged_by"), file, caller, db) else {
        throw StorageError.ruleViolated
      }
      let names = try String.fetchSet(
        db, sql: "SELECT name FROM attachments WHERE interaction_id = ?", arguments: [file.interaction])
      if names.contains(file.name), !replaces { throw StorageError.duplicate }
      if !names.contains(file.name), names.count >= Self.countLimit { throw StorageError.ruleViolated }
      try db.execute(
        sql: "INSERT OR REPLACE INTO attachments VALUES (?, ?, ?, ?, ?)",
        arguments: [file.interaction, file.name, picture.format.rawValue, Data(picture.bytes), time])
      if isListed { try setListed(true, file, caller, db) }
    }
  }

  /// Deletes a file.
  /// - Parameter isUnlisted: whether the file is also removed from the interaction's list, even if it doesn't exist.
  /// - Returns: whether the file existed and the caller may delete it.
  @discardableResult
  func delete(_ file: Attachment, for caller: Caller, isUnlisted: Bool = false) async throws -> Bool {
    try await database.write { db in
      guard try Self.isAllowed(RowRules.isOwnInFamily("logged_by"), file, caller, db) else { return false }
      if isUnlisted { try setListed(false, file, caller, db) }
      try db.execute(
        sql: "DELETE FROM attachments WHERE interaction_id = ? AND name = ?", arguments: [file.interaction, file.name])
      return db.changesCount > 0
    }
  }

  private func setListed(_ isListed: Bool, _ file: Attachment, _ caller: Caller, _ db: Database) throws {
    guard let user = caller.userID else { throw StorageError.ruleViolated }
    do {
      try InteractionTables.setListed(
        isListed, of: file.listed, in: file.interaction.databaseValue, of: user, db, now: now())
    } catch let failure as PostgRESTFailure where failure.code == "23514" {
      throw StorageError.ruleViolated
    }
  }

  private static func isAllowed(
    _ rule: RowRules.Condition, _ file: Attachment, _ caller: Caller, _ db: Database
  ) throws -> Bool {
    try db.hasRow("SELECT 1 FROM interactions AS i WHERE i.id = ? AND \(rule("i", caller.sql))", [file.interaction])
  }
}

/// A file in the bucket `attachments`. Its path is the interaction's ID and a name, without deeper folders.
struct Attachment: Sendable, Equatable {
  let interaction: String
  let name: String

  /// The text in the column `attachments`.
  var listed: String { "attachments/\(interaction)/\(name)" }

  /// - Returns: `nil` if these are not an ID and a valid name.
  init?(interaction: String, name: String) {
    guard let id = UUID(uuidString: interaction), name.wholeMatch(of: /[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,99}/) != nil
    else {
      return nil
    }
    (self.interaction, self.name) = (id.uuidString.lowercased(), name)
  }

  /// Parses a text of the column `attachments`. Returns `nil` if it is another text, such as an address.
  init?(listed text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "attachments" else { return nil }
    self.init(interaction: parts[1], name: parts[2])
  }
}

extension ServerDependencies {
  var attachments: AttachmentStore { AttachmentStore(database: store.database, now: configuration.now) }
}
#endif
