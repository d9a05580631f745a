#if Recruiting
import GRDB
import Recruiting

/// The table of links that show one highlight to one coach, without an account. Only the hashes of their tokens are
/// stored.
enum HighlightLinkTable {
  private typealias Tables = SocialTables

  static let links = TableSchema(
    name: "highlight_shares",
    columns: [
      Tables.id, Tables.reference("highlight_id", "highlights"), Tables.column("family_unit_id", .uuid),
      Tables.reference("coach_id", "coaches"), Tables.reference("interaction_id", "interactions").allowingNull(),
      Tables.reference("sent_by", "profiles"),
      Tables.column("channel", .text).requireOneOf(HighlightLink.Channel.allCases.map(\.rawValue)),
      Tables.column("token_hash", .text).sha256(), Tables.createdAt, Tables.column("expires_at", .timestamp),
      Tables.column("revoked_at", .timestamp).allowingNull(),
      Tables.column("first_opened_at", .timestamp).allowingNull(), Tables.counter("open_count"),
    ],
    unique: [["token_hash"]],
    checks: [
      TableSchema.CheckConstraint(name: "highlight_shares_check") { row in
        (row.integer("open_count") == 0) == row["first_opened_at"].isNull
      }
    ],
    rules: RowRules(select: RowRules.isOwnOrParents("sent_by")))

  /// The links of a member who leaves or is removed end, because the member could no longer see or revoke them. A link
  /// works without its interaction.
  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE highlight_shares (
          id TEXT PRIMARY KEY NOT NULL, highlight_id TEXT NOT NULL REFERENCES highlights (id) ON DELETE CASCADE,
          family_unit_id TEXT NOT NULL, coach_id TEXT NOT NULL, interaction_id TEXT,
          sent_by TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, channel TEXT NOT NULL,
          token_hash TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, expires_at TEXT NOT NULL, revoked_at TEXT,
          first_opened_at TEXT, open_count INTEGER NOT NULL,
          FOREIGN KEY (coach_id, family_unit_id) REFERENCES coaches (id, family_unit_id) ON DELETE CASCADE,
          FOREIGN KEY (interaction_id, family_unit_id) REFERENCES interactions (id, family_unit_id));
        CREATE INDEX highlight_shares_highlight ON highlight_shares (highlight_id);
        CREATE INDEX highlight_shares_family ON highlight_shares (family_unit_id, created_at DESC);
        CREATE INDEX highlight_shares_coach ON highlight_shares (coach_id, family_unit_id, created_at DESC);
        CREATE INDEX highlight_shares_interaction ON highlight_shares (interaction_id);
        CREATE INDEX highlight_shares_sender ON highlight_shares (sent_by, family_unit_id);
        \(CoachTables.forget("interactions", in: "highlight_shares", "interaction_id"))
        CREATE TRIGGER family_members_revoke_links AFTER DELETE ON family_members
        BEGIN
          UPDATE highlight_shares SET revoked_at = server_time()
          WHERE family_unit_id = OLD.family_unit_id AND sent_by = OLD.user_id AND revoked_at IS NULL;
        END;
        """)
  }
}
#endif
