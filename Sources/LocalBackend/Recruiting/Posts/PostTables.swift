#if Recruiting
import GRDB
import Recruiting

/// The tables for posts of coaches and programs, and for notices of new ones.
enum PostTables {
  private typealias Tables = SocialTables

  static let posts = TableSchema(
    name: "social_media_posts",
    columns: [
      Tables.id, FamilyTables.family, Tables.reference("coach_id", "coaches").allowingNull(),
      Tables.reference("school_id", "schools").allowingNull(), platform, Tables.column("post_url", .text),
      Tables.column("post_content", .text).check { (text: String) in text.unicodeScalars.count <= contentLimit },
      Tables.column("post_date", .timestamp), Tables.column("author_handle", .text),
      Tables.column("author_name", .text).check { (name: String) in
        (1...nameLimit).contains(name.unicodeScalars.count)
      },
      Tables.column("is_recruiting_related", .boolean).fallback(false),
      // The flag and the notes belong to the family.
      Tables.column("flagged_for_review", .boolean).fallback(false).allowingUpdate(), InteractionTables.sentiment,
      Tables.column("notes", .text).allowingNull().allowingUpdate().text(limit: 5000), Tables.createdAt,
      CoachTables.updatedAt,
    ],
    checks: [
      TableSchema.CheckConstraint(name: "social_media_posts_check") { row in
        guard let address = row.text("post_url"), let platform = SocialPlatform(row) else { return true }
        return (try? PostAddress(address, on: platform).text) == address
      },
      TableSchema.CheckConstraint(name: "social_media_posts_check1") { row in
        guard let handle = row.text("author_handle"), let platform = SocialPlatform(row) else { return true }
        return CoachTables.isHandle(handle, on: platform)
      },
    ],
    rules: RowRules(select: RowRules.isInFamily(), update: RowRules.isInFamily(), delete: RowRules.isInFamily()),
    mayDelete: true)

  /// The maximum number of code points in a post.
  static let contentLimit = 100_000
  /// The maximum number of code points in the name of an author.
  static let nameLimit = 200
  static let platform = SocialTables.column("platform", .text).requireOneOf(SocialPlatform.allCases.map(\.rawValue))

  /// Deleted posts, which the next sync must not add again.
  static let dismissed = TableSchema(
    name: "dismissed_posts",
    columns: [
      FamilyTables.family, Tables.column("post_url", .text), Tables.column("dismissed_at", .timestamp).fallback(.now),
    ],
    key: "post_url", rules: RowRules(select: RowRules.isInFamily()))

  /// New posts that a member has not seen, per coach. Further posts are added to an unread notice.
  static let notices = TableSchema(
    name: "post_notices",
    columns: [
      Tables.id, Tables.column("family_unit_id", .uuid), Tables.column("user_id", .uuid),
      Tables.reference("coach_id", "coaches").allowingNull(), Tables.column("post_count", .integer).requireMinimum(1),
      Tables.column("recruiting_count", .integer), Tables.column("newest_post_date", .timestamp), Tables.createdAt,
      Tables.column("read_at", .timestamp).allowingNull().allowingUpdate(),
    ],
    checks: [
      TableSchema.CheckConstraint(name: "post_notices_check") { row in
        guard let recruiting = row.integer("recruiting_count"), let all = row.integer("post_count") else { return true }
        return recruiting >= 0 && recruiting <= all
      }
    ],
    rules: RowRules(
      select: RowRules.isCaller("user_id"), update: RowRules.isCaller("user_id"), delete: RowRules.isCaller("user_id")),
    mayDelete: true)

  static let all = [posts, dismissed, notices]

  static func create(_ db: Database) throws {
    try db.execute(sql: tables + triggers)
  }

  /// The website and the ID of a post, `twitter.com/12`, which identify it. Addresses on X also contain the name of the
  /// account, which can change. Like `private.post_key` in the database.
  /// - Parameter address: an SQL expression for an address in the form of `PostAddress.text`.
  static func key(_ address: String) -> String {
    // `rtrim` removes the characters after the last slash.
    """
    (substr(\(address), 9, instr(substr(\(address), 9), '/'))
      || replace(\(address), rtrim(\(address), replace(\(address), '/', '')), ''))
    """
  }

  /// Merges posts that were stored twice because their account was renamed. The row that was stored first stays, and gets
  /// the flag, the notes, the coach and the school of the others.
  static func mergeSamePosts(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TEMPORARY TABLE same_posts AS
        SELECT id, first_id FROM (
          SELECT id, first_value(id) OVER same AS first_id, count(*) OVER (
            PARTITION BY family_unit_id, \(key("post_url"))) AS number
          FROM social_media_posts
          WINDOW same AS (PARTITION BY family_unit_id, \(key("post_url")) ORDER BY created_at, id))
        WHERE number > 1;
        UPDATE social_media_posts AS s SET
          flagged_for_review = (
            SELECT max(o.flagged_for_review) FROM same_posts AS t JOIN social_media_posts AS o ON o.id = t.id
            WHERE t.first_id = s.id),
          notes = (
            -- A single text isn't cut off: substr counts code points, and the limit counts characters.
            SELECT CASE WHEN count(*) = 1 THEN min(notes) ELSE substr(group_concat(notes, char(10)), 1, 5000) END FROM (
              SELECT DISTINCT o.notes FROM same_posts AS t JOIN social_media_posts AS o ON o.id = t.id
              WHERE t.first_id = s.id AND o.notes IS NOT NULL ORDER BY o.notes)),
          coach_id = (
            SELECT o.coach_id FROM same_posts AS t JOIN social_media_posts AS o ON o.id = t.id
            WHERE t.first_id = s.id AND o.coach_id IS NOT NULL ORDER BY o.created_at, o.id LIMIT 1),
          school_id = (
            SELECT o.school_id FROM same_posts AS t JOIN social_media_posts AS o ON o.id = t.id
            WHERE t.first_id = s.id AND o.school_id IS NOT NULL ORDER BY o.created_at, o.id LIMIT 1)
        WHERE id IN (SELECT first_id FROM same_posts);
        DELETE FROM social_media_posts WHERE id IN (SELECT id FROM same_posts WHERE id <> first_id);
        DROP TABLE same_posts;
        CREATE UNIQUE INDEX social_media_posts_identity ON social_media_posts (\(key("post_url")), family_unit_id);
        -- These deletions, and those of users who removed only one of the rows, don't dismiss the post.
        DELETE FROM dismissed_posts WHERE EXISTS (
          SELECT 1 FROM social_media_posts AS s WHERE s.family_unit_id = dismissed_posts.family_unit_id
            AND \(key("s.post_url")) = \(key("dismissed_posts.post_url")));
        CREATE INDEX dismissed_posts_identity ON dismissed_posts (\(key("post_url")), family_unit_id);
        """)
  }

  private static let tables = """
    CREATE TABLE social_media_posts (
      id TEXT PRIMARY KEY NOT NULL, family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE,
      coach_id TEXT, school_id TEXT, platform TEXT NOT NULL, post_url TEXT NOT NULL, post_content TEXT NOT NULL,
      post_date TEXT NOT NULL, author_handle TEXT NOT NULL, author_name TEXT NOT NULL,
      is_recruiting_related BOOLEAN NOT NULL, flagged_for_review BOOLEAN NOT NULL, sentiment TEXT, notes TEXT,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (family_unit_id, post_url),
      FOREIGN KEY (coach_id, family_unit_id) REFERENCES coaches (id, family_unit_id),
      FOREIGN KEY (school_id, family_unit_id) REFERENCES schools (id, family_unit_id));
    CREATE INDEX social_media_posts_newest ON social_media_posts (family_unit_id, post_date DESC, id DESC);
    CREATE INDEX social_media_posts_coach ON social_media_posts (coach_id, family_unit_id, post_date DESC);
    CREATE INDEX social_media_posts_school ON social_media_posts (school_id, family_unit_id);
    CREATE TABLE dismissed_posts (
      family_unit_id TEXT NOT NULL REFERENCES family_units (id) ON DELETE CASCADE, post_url TEXT NOT NULL,
      dismissed_at TEXT NOT NULL, PRIMARY KEY (family_unit_id, post_url));
    CREATE TABLE post_notices (
      id TEXT PRIMARY KEY NOT NULL, family_unit_id TEXT NOT NULL, user_id TEXT NOT NULL, coach_id TEXT,
      post_count INTEGER NOT NULL, recruiting_count INTEGER NOT NULL, newest_post_date TEXT NOT NULL,
      created_at TEXT NOT NULL, read_at TEXT,
      FOREIGN KEY (family_unit_id, user_id) REFERENCES family_members (family_unit_id, user_id) ON DELETE CASCADE,
      FOREIGN KEY (coach_id, family_unit_id) REFERENCES coaches (id, family_unit_id) ON DELETE CASCADE);
    CREATE UNIQUE INDEX post_notices_unread ON post_notices (user_id, family_unit_id, coalesce(coach_id, ''))
      WHERE read_at IS NULL;
    CREATE INDEX post_notices_member ON post_notices (family_unit_id, user_id, created_at DESC);
    CREATE INDEX post_notices_coach ON post_notices (coach_id, family_unit_id);

    """

  /// A post that is deleted with its family is not dismissed: then the family no longer exists.
  private static let triggers = """
    \(CoachTables.setUpdatedAt("social_media_posts"))
    \(CoachTables.forget("schools", in: "social_media_posts", "school_id"))
    \(CoachTables.forget("coaches", in: "social_media_posts", "coach_id"))
    CREATE TRIGGER social_media_posts_dismiss AFTER DELETE ON social_media_posts
    BEGIN
      INSERT INTO dismissed_posts SELECT OLD.family_unit_id, OLD.post_url, server_time()
      FROM family_units WHERE id = OLD.family_unit_id ON CONFLICT DO NOTHING;
    END;
    """
}

extension SocialPlatform {
  fileprivate init?(_ row: NewRow) {
    self.init(rawValue: row.text("platform") ?? "")
  }
}
#endif
