#if Recruiting
import ClipModel
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The table for contacts with coaches. Athletes log them and see their own; parents see all of the family.
enum InteractionTables {
  private typealias Tables = SocialTables

  static let sentiment = SocialTables.column("sentiment", .text).allowingNull()
    .requireOneOf(PostSentiment.allCases.map(\.rawValue))

  static let interactions = TableSchema(
    name: "interactions",
    columns: [
      Tables.id.allowingInsert(), FamilyTables.family.allowingInsert(),
      Tables.reference("logged_by", "profiles").fallback(.caller).allowingInsert(),
      Tables.column("type", .text).allowingWrites().requireOneOf(InteractionType.allCases.map(\.rawValue)),
      Tables.column("direction", .text).allowingWrites().requireOneOf(InteractionDirection.allCases.map(\.rawValue)),
      Tables.reference("school_id", "schools").allowingNull().allowingWrites(),
      Tables.reference("coach_id", "coaches").allowingNull().allowingWrites(),
      Tables.column("subject", .text).allowingNull().allowingWrites().text(limit: 300),
      Tables.column("content", .text).allowingNull().allowingWrites().text(limit: 10_000), sentiment.allowingWrites(),
      Tables.column("occurred_at", .timestamp).allowingNull().allowingWrites(),
      Tables.column("attachments", .textArray).fallback("[]").allowingWrites().texts(
        maximumCount: 20, maximumLength: 1024),
      Tables.createdAt, CoachTables.updatedAt,
      // What lists show and sort by.
      Tables.column("display_at", .timestamp).generated(),
    ],
    rules: RowRules(
      select: RowRules.isOwnOrParents("logged_by"),
      insert: RowRules.allOf(RowRules.isCaller("logged_by"), RowRules.isInFamily(as: .athlete)),
      update: RowRules.isOwnInFamily("logged_by"), delete: RowRules.isOwnInFamily("logged_by")),
    mayDelete: true)

  /// Adds an attachment to the list of an interaction that the account has logged, or removes it. The list contains each
  /// attachment once.
  /// - Throws: PT404 if the account hasn't logged it.
  static func setListed(
    _ isListed: Bool, of attachment: String?, in id: DatabaseValue, of user: String, _ db: Database, now: Date
  ) throws {
    let rule = RowRules.isOwnInFamily("logged_by")("i", Caller.user(user).sql)
    guard
      let stored = try String.fetchOne(
        db, sql: "SELECT i.attachments FROM interactions AS i WHERE i.id = ? AND \(rule)", arguments: [id])
    else { throw PostgRESTFailure(.notFound, "PT404", "the account has not logged this interaction") }
    var list = NewRow.texts(in: stored) ?? []
    // A null value violates the column's rule for empty texts.
    let text = attachment ?? ""
    if !isListed {
      list.removeAll { $0 == text }
    } else if !list.contains(text) {
      list.append(text)
    }
    let json = JSONValue(.array(list.map { JSONValue(.string($0), at: 0) }), at: 0).text
    _ = try RowWriter(db: db, caller: .user(user), now: now).update(
      id, set: ["attachments": json.databaseValue], in: interactions)
  }

  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE interactions (
          id TEXT PRIMARY KEY NOT NULL, family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE,
          logged_by TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, type TEXT NOT NULL,
          direction TEXT NOT NULL, school_id TEXT, coach_id TEXT, subject TEXT, content TEXT, sentiment TEXT,
          occurred_at TEXT, attachments TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
          display_at TEXT NOT NULL GENERATED ALWAYS AS (coalesce(occurred_at, created_at)) STORED,
          UNIQUE (id, family_unit_id),
          FOREIGN KEY (school_id, family_unit_id) REFERENCES schools (id, family_unit_id),
          FOREIGN KEY (coach_id, family_unit_id) REFERENCES coaches (id, family_unit_id));
        CREATE INDEX interactions_family ON interactions (family_unit_id, display_at DESC, id);
        CREATE INDEX interactions_member ON interactions (logged_by, display_at DESC);
        CREATE INDEX interactions_coach ON interactions (coach_id, display_at DESC);
        CREATE INDEX interactions_school ON interactions (school_id, family_unit_id);
        \(CoachTables.setUpdatedAt("interactions"))
        \(CoachTables.forget("schools", in: "interactions", "school_id"))
        \(CoachTables.forget("coaches", in: "interactions", "coach_id"))
        """)
    for (event, coaches) in [
      ("INSERT", "NEW.coach_id"), ("UPDATE OF coach_id, occurred_at", "OLD.coach_id, NEW.coach_id"),
      ("DELETE", "OLD.coach_id"),
    ] {
      try db.execute(sql: setLastContact(after: event, of: coaches))
    }
  }

  /// Refuses the ID of an account, and that of an interaction that was deleted during the last day, as in PostgreSQL, where
  /// its pictures are deleted later.
  static func refuseUsedIDs(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE deleted_interactions (id TEXT PRIMARY KEY NOT NULL, deleted_at TEXT NOT NULL);
        CREATE TRIGGER interactions_keep_id AFTER DELETE ON interactions
        BEGIN
          INSERT OR IGNORE INTO deleted_interactions VALUES (OLD.id, server_time());
        END;
        CREATE TRIGGER interactions_refuse_id AFTER INSERT ON interactions
        WHEN EXISTS (SELECT 1 FROM deleted_interactions WHERE id = NEW.id)
          OR EXISTS (SELECT 1 FROM profiles WHERE id = NEW.id)
        BEGIN
          SELECT RAISE(ABORT, 'the ID was used before');
        END;
        """)
  }

  static func forgetUsedIDs(in db: Database, now: Date) throws {
    try db.execute(
      sql: "DELETE FROM deleted_interactions WHERE deleted_at < ?",
      arguments: [timestampText(now.addingTimeInterval(-86_400))])
  }

  /// Returns a trigger that sets the coaches' last contact: the newest interaction that has taken place. A planned one
  /// counts with the next change of the coach's interactions after its time.
  private static func setLastContact(after event: String, of coaches: String) -> String {
    let newest = """
      SELECT max(i.display_at) FROM interactions AS i WHERE i.coach_id = coaches.id AND i.display_at <= server_time()
      """
    return """
      CREATE TRIGGER interactions_contact_\(event.prefix(6).lowercased()) AFTER \(event) ON interactions
      BEGIN
        UPDATE coaches SET last_contact_date = (\(newest))
        WHERE id IN (\(coaches)) AND last_contact_date IS NOT (\(newest));
      END;
      """
  }
}
#endif
