#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The figures of a family, as the caller may see them. `Recruiting` counts; this reads the rows.
struct RecruitingFigures {
  let caller: Caller
  let db: Database
  let now: Date

  /// Returns a condition for the rows of a table that the caller can see.
  static func isVisible(_ table: TableSchema, _ row: String, to caller: Caller) -> String {
    TableSchema.sql(table.rules.select, row: row, caller)
  }

  /// Returns an SQL expression for the exact seconds since 1970 of a column with a time.
  private static func seconds(_ column: String) -> String {
    "strftime('%s', substr(\(column), 1, 19)) + substr(\(column), 21, 6) / 1e6"
  }

  static func zone(named name: String?) throws(PostgRESTFailure) -> RecruitingTimeZone {
    do throws(RecruitingError) { return try RecruitingTimeZone(named: name ?? "") } catch {
      throw PostgRESTFailure(.badRequest, "22023", "time zone \"\(name?.prefix(80) ?? "")\" not recognized")
    }
  }

  // MARK: Posts

  /// Returns the figures of the analytics page.
  /// - Parameter days: the calendar days until today, or `nil` for all posts.
  func analytics(of family: DatabaseValue, days: Int?, in zone: RecruitingTimeZone) throws -> SocialAnalytics {
    SocialAnalytics(
      try countedPosts(of: family, days: days), days: days, now: now, in: zone, schoolNames: try schoolNames(family))
  }

  /// Returns the posts of a family with the values that are counted. Their texts are empty.
  /// - Parameter days: the calendar days to count. Posts that can't be in them in any time zone are left out.
  private func countedPosts(of family: DatabaseValue, days: Int?) throws -> [SocialPost] {
    let oldest = days.map { days in
      timestampText(now.addingTimeInterval(-Double(SocialAnalytics.countedDays(days) + 2) * 86_400))
    }
    var posts: [SocialPost] = []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT p.id, p.school_id, p.platform, \(Self.seconds("p.post_date")), p.is_recruiting_related, p.sentiment
        FROM social_media_posts AS p
        WHERE p.family_unit_id = ? AND p.post_date >= ?
          AND \(Self.isVisible(PostTables.posts, "p", to: caller))
        """, arguments: [family, oldest ?? ""])
    while let row = try rows.next() {
      guard let platform = SocialPlatform(rawValue: row[2]), let seconds: Double = row[3] else { continue }
      posts.append(
        SocialPost(
          id: row[0], schoolId: row[1], platform: platform, postUrl: "", postContent: "",
          postDate: Date(timeIntervalSince1970: seconds), authorHandle: "", authorName: "",
          isRecruitingRelated: row[4], sentiment: (row[5] as String?).flatMap(PostSentiment.init)))
    }
    return posts
  }

  private func schoolNames(_ family: DatabaseValue) throws -> [String: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM schools WHERE family_unit_id = ?", arguments: [family])
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["name"]) })
  }

  /// Returns the texts of posts as `social_analytics` returns them.
  func texts(of posts: [SocialPost]) throws -> [JSONObject] {
    try posts.compactMap { post in
      try Row.fetchOne(
        db,
        sql: """
          SELECT post_date, author_handle, author_name, substr(post_content, 1, 500) AS post_content, post_url
          FROM social_media_posts WHERE id = ?
          """, arguments: [post.id]
      ).map { row in
        [
          "id": post.id, "platform": post.platform, "post_date": row["post_date"] as String,
          "author_handle": row["author_handle"] as String, "author_name": row["author_name"] as String,
          "post_content": row["post_content"] as String, "post_url": row["post_url"] as String,
        ]
      }
    }
  }

  // MARK: Interactions

  /// Returns the figures of the interactions that match a filter.
  /// - Parameter days: the days back from now, or `nil` for all. They replace the filter's period.
  func interactions(
    of family: DatabaseValue, _ filter: InteractionFilter, days: Int?, in zone: RecruitingTimeZone
  ) throws -> InteractionFigures {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT i.id, i.type, i.direction, i.subject, i.content, i.sentiment, i.logged_by,
          \(Self.seconds("i.display_at")) AS seconds
        FROM interactions AS i
        WHERE i.family_unit_id = ?1 AND \(Self.isVisible(InteractionTables.interactions, "i", to: caller))
          AND (?2 IS NULL OR i.display_at >= ?2)
        """, arguments: [family, days.map { timestampText(zone.days($0, before: now)) }])
    let interactions = rows.compactMap { row -> Interaction? in
      guard let type = InteractionType(rawValue: row["type"]),
        let direction = InteractionDirection(rawValue: row["direction"]), let seconds: Double = row["seconds"]
      else { return nil }
      return Interaction(
        id: row["id"], type: type, direction: direction, subject: row["subject"], content: row["content"],
        sentiment: (row["sentiment"] as String?).flatMap(PostSentiment.init), loggedBy: row["logged_by"],
        createdAt: Date(timeIntervalSince1970: seconds))
    }
    return InteractionFigures(filter.apply(to: interactions, now: now, in: zone), now: now, in: zone)
  }
}
#endif
