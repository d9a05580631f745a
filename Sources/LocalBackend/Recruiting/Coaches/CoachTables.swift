#if Recruiting
import Foundation
import GRDB
import Recruiting

/// The tables for schools and coaches. Nothing is deleted: `archived_at` is set instead, so that old interactions keep
/// their names.
enum CoachTables {
  private typealias Tables = SocialTables

  private static let family = FamilyTables.family.allowingInsert()
  private static let archivedAt = Tables.column("archived_at", .timestamp).allowingNull().allowingUpdate()
  static let updatedAt = SocialTables.column("updated_at", .timestamp).fallback(.now)
  private static let rules = RowRules(
    select: RowRules.isInFamily(), insert: RowRules.isInFamily(), update: RowRules.isInFamily())

  static let schools = TableSchema(
    name: "schools",
    columns: [
      Tables.id.allowingInsert(), family,
      Tables.column("name", .text).allowingWrites().text(limit: 200, isRequired: true),
      handle(on: .twitter), handle(on: .instagram), archivedAt, Tables.createdAt, updatedAt,
    ],
    rules: rules)

  static let coaches = TableSchema(
    name: "coaches",
    columns: [
      Tables.id.allowingInsert(), family, Tables.reference("school_id", "schools").allowingNull().allowingWrites(),
      Tables.column("first_name", .text).allowingWrites().text(limit: 100, isRequired: true),
      Tables.column("last_name", .text).allowingWrites().text(limit: 100, isRequired: true),
      Tables.column("role", .text).allowingNull().allowingWrites().text(limit: 60, isRequired: true),
      handle(on: .twitter), handle(on: .instagram),
      // The newest interaction that has taken place. Triggers write it.
      Tables.column("last_contact_date", .timestamp).allowingNull(), archivedAt, Tables.createdAt, updatedAt,
    ],
    rules: rules)

  static let all = [schools, coaches]

  /// A column for a handle, which is stored without `@` and without the address of a profile. Text that can't be a handle
  /// is kept for the check, which rejects it.
  private static func handle(on platform: SocialPlatform) -> TableSchema.Column {
    Tables.column("\(platform.rawValue)_handle", .text).allowingNull().allowingWrites()
      .normalizing { text in
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : (try? SocialHandle(text, on: platform).name) ?? text
      }
      .check { (text: String) in isHandle(text, on: platform) }
  }

  /// Whether a text is a handle in the form that is stored.
  static func isHandle(_ text: String, on platform: SocialPlatform) -> Bool {
    (try? SocialHandle(text, on: platform).name) == text
  }

  /// References have the family as their second column, so that they can't leave the family. SQLite's `SET NULL` would
  /// also set that column, so triggers do it.
  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE schools (
          id TEXT PRIMARY KEY NOT NULL, family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE,
          name TEXT NOT NULL, twitter_handle TEXT, instagram_handle TEXT, archived_at TEXT, created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL, UNIQUE (id, family_unit_id));
        CREATE INDEX schools_family ON schools (family_unit_id, name);
        CREATE TABLE coaches (
          id TEXT PRIMARY KEY NOT NULL, family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE,
          school_id TEXT, first_name TEXT NOT NULL, last_name TEXT NOT NULL, role TEXT, twitter_handle TEXT,
          instagram_handle TEXT, last_contact_date TEXT, archived_at TEXT, created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL, UNIQUE (id, family_unit_id),
          FOREIGN KEY (school_id, family_unit_id) REFERENCES schools (id, family_unit_id));
        CREATE INDEX coaches_family ON coaches (family_unit_id, last_name, first_name);
        CREATE INDEX coaches_school ON coaches (school_id, family_unit_id);
        \(setUpdatedAt("schools"))
        \(setUpdatedAt("coaches"))
        \(forget("schools", in: "coaches", "school_id"))
        """)
  }

  /// Returns a trigger that dates each change.
  static func setUpdatedAt(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_updated AFTER UPDATE ON \(table)
    BEGIN UPDATE \(table) SET updated_at = server_time() WHERE id = NEW.id; END;
    """
  }

  /// Returns a trigger that sets a reference to null when its row is deleted.
  static func forget(_ target: String, in table: String, _ column: String) -> String {
    """
    CREATE TRIGGER \(table)_forget_\(target) AFTER DELETE ON \(target)
    BEGIN UPDATE \(table) SET \(column) = NULL WHERE \(column) = OLD.id; END;
    """
  }
}
#endif
