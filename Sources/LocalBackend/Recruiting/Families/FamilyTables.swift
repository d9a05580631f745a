#if Recruiting
import GRDB
import Recruiting

/// The tables for families, their members and invitations.
enum FamilyTables {
  private typealias Tables = SocialTables

  /// The column with a row's family.
  static let family = SocialTables.reference("family_unit_id", "family_units")
  private static let role = Tables.column("role", .text).requireOneOf(FamilyRole.allCases.map(\.rawValue))

  static let units = TableSchema(
    name: "family_units",
    columns: [
      Tables.id, Tables.column("name", .text).allowingUpdate().text(limit: 80, isRequired: true), Tables.createdAt,
    ],
    rules: RowRules(select: RowRules.isInFamily("id"), update: RowRules.isInFamily("id")))

  static let members = TableSchema(
    name: "family_members",
    columns: [Tables.id, family, Tables.reference("user_id", "profiles"), role, Tables.createdAt],
    unique: [["family_unit_id", "user_id"]],
    // Everyone may leave.
    rules: RowRules(
      select: RowRules.isInFamily(),
      delete: { row, viewer in
        "\(row).user_id = \(viewer) OR \(RowRules.isInFamily(as: .parent)(row, viewer))"
      }),
    mayDelete: true)

  static let invitations = TableSchema(
    name: "family_invites",
    columns: [
      Tables.id, family, role, Tables.reference("invited_by", "profiles"), Tables.createdAt,
      Tables.column("expires_at", .timestamp), Tables.column("used_at", .timestamp).allowingNull(),
    ],
    rules: RowRules(select: RowRules.isInFamily(), delete: RowRules.isOwnOrParents("invited_by")), mayDelete: true)

  static let all = [units, members, invitations]

  /// A family without members could never be read again, so it is deleted.
  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE family_units (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL);
        CREATE TABLE family_members (
          id TEXT PRIMARY KEY NOT NULL, family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE,
          user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, role TEXT NOT NULL,
          created_at TEXT NOT NULL, UNIQUE (family_unit_id, user_id));
        CREATE INDEX family_members_user ON family_members (user_id);
        CREATE TABLE family_invites (
          id TEXT PRIMARY KEY NOT NULL, code_hash TEXT NOT NULL UNIQUE,
          family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE, role TEXT NOT NULL,
          invited_by TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, created_at TEXT NOT NULL,
          expires_at TEXT NOT NULL, used_at TEXT);
        CREATE INDEX family_invites_family ON family_invites (family_unit_id);
        CREATE INDEX family_invites_inviter ON family_invites (invited_by);
        CREATE TRIGGER family_members_last AFTER DELETE ON family_members
        BEGIN
          DELETE FROM family_units WHERE id = OLD.family_unit_id
            AND NOT EXISTS (SELECT 1 FROM family_members WHERE family_unit_id = OLD.family_unit_id);
        END;
        """)
  }

  /// Moves the hashes of invitation codes to a table that no request can read. A code has 60 bits, so a member with many
  /// processors could find an open one from its hash.
  static func moveCodes(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE codes AS SELECT id, code_hash FROM family_invites;
        CREATE TABLE moved_invites (
          id TEXT PRIMARY KEY NOT NULL,
          family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE, role TEXT NOT NULL,
          invited_by TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, created_at TEXT NOT NULL,
          expires_at TEXT NOT NULL, used_at TEXT);
        INSERT INTO moved_invites
          SELECT id, family_unit_id, role, invited_by, created_at, expires_at, used_at FROM family_invites;
        DROP TABLE family_invites;
        ALTER TABLE moved_invites RENAME TO family_invites;
        CREATE INDEX family_invites_family ON family_invites (family_unit_id);
        CREATE INDEX family_invites_inviter ON family_invites (invited_by);
        CREATE TABLE family_invite_codes (
          invite_id TEXT PRIMARY KEY NOT NULL REFERENCES family_invites (id) ON DELETE CASCADE,
          code_hash TEXT NOT NULL UNIQUE);
        INSERT INTO family_invite_codes SELECT id, code_hash FROM codes;
        DROP TABLE codes;
        """)
  }
}

extension TableSchema.Column {
  /// Accepts only SHA-256 as hexadecimal digits.
  func sha256() -> Self { check { (text: String) in text.wholeMatch(of: /[0-9a-f]{64}/) != nil } }
}
#endif
