#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The figures of a family, as the caller may see them. SQLite counts posts, and `Recruiting` counts interactions.
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
    let period = SocialAnalytics.Period(days: days, until: now, in: zone)
    let starts = period.dayStarts.map(timestampText)
    // Times are text: the empty text is before all of them, and a letter after.
    let bounds = period.isUnlimited ? ("", "x") : (starts.first ?? "", starts.last ?? "")
    let counts = SocialAnalytics.Counts(
      groups: try groups(of: family, bounds), days: try dayCounts(of: family, starts),
      recent: try recentPosts(of: family, bounds))
    return SocialAnalytics(counts, period: period, schoolNames: try schoolNames(family))
  }

  /// The condition for the counted posts. Its arguments are the family, and the first time and the end of the period.
  private var isCounted: String {
    "p.family_unit_id = ? AND p.post_date >= ? AND p.post_date < ? AND \(Self.isVisible(PostTables.posts, "p", to: caller))"
  }

  /// Returns the number of posts with the same values. SQLite counts them faster than their rows can be read.
  private func groups(
    of family: DatabaseValue, _ bounds: (String, String)
  ) throws -> [SocialAnalytics.Group: Int] {
    var groups: [SocialAnalytics.Group: Int] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT p.school_id, p.platform, p.is_recruiting_related, p.sentiment, count(*)
        FROM social_media_posts AS p WHERE \(isCounted) GROUP BY 1, 2, 3, 4
        """, arguments: [family, bounds.0, bounds.1])
    while let row = try rows.next() {
      guard let platform = SocialPlatform(rawValue: row[1]) else { continue }
      let group = SocialAnalytics.Group(
        schoolId: row[0], platform: platform, isRecruitingRelated: row[2],
        sentiment: (row[3] as String?).flatMap(PostSentiment.init))
      groups[group, default: 0] += row[4]
    }
    return groups
  }

  /// Returns the number of posts from each time until the next.
  private func dayCounts(of family: DatabaseValue, _ starts: [String]) throws -> [Int] {
    let count = try db.makeStatement(sql: "SELECT count(*) FROM social_media_posts AS p WHERE \(isCounted)")
    return try zip(starts, starts.dropFirst()).map { try Int.fetchOne(count, arguments: [family, $0, $1]) ?? 0 }
  }

  /// Returns the five newest recruiting posts, without texts.
  private func recentPosts(of family: DatabaseValue, _ bounds: (String, String)) throws -> [SocialPost] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT p.id, p.platform, \(Self.seconds("p.post_date")) AS seconds FROM social_media_posts AS p
        WHERE \(isCounted) AND p.is_recruiting_related ORDER BY p.post_date DESC, p.id DESC LIMIT 5
        """, arguments: [family, bounds.0, bounds.1])
    return rows.compactMap { row in
      guard let platform = SocialPlatform(rawValue: row["platform"]), let seconds: Double = row["seconds"] else {
        return nil
      }
      return SocialPost(
        id: row["id"], platform: platform, postUrl: "", postContent: "",
        postDate: Date(timeIntervalSince1970: seconds), authorHandle: "", authorName: "", isRecruitingRelated: true)
    }
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
