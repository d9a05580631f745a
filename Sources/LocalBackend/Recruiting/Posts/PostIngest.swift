#if Recruiting
import ClipModel
import Foundation
import GRDB
import Recruiting

/// Adds posts to a family, or changes those whose text was edited, within one transaction. Flags and notes stay, and
/// dismissed posts are left out. A post keeps the address and the handle with which it was stored first.
struct PostIngest {
  let family: String
  let db: Database
  let now: String

  /// The maximum number of posts in a request.
  static let limit = 1000
  /// The maximum size of a request in bytes. It allows the longest post in any notation, or 4 KiB per post.
  static let bodyLimit = 4 << 20

  /// The response of `ingest_posts`.
  struct Summary: Encodable, Sendable {
    var added = 0
    var changed = 0
    var unchanged = 0
    var dismissed = 0
    var invalid: [InvalidPost] = []

    struct InvalidPost: Encodable, Sendable {
      var index: Int
      var field: String
    }
  }

  /// The coach and the school with a handle.
  private struct Owner {
    var coach: String?
    var school: String?
  }

  func add(_ posts: [JSONValue]) throws -> Summary {
    var summary = Summary()
    // One row per post: the last one wins.
    var usable: [PostAddress: IngestedPost] = [:]
    for (index, value) in posts.enumerated() {
      do throws(IngestedPost.Problem) {
        let post = try IngestedPost(value)
        usable[post.address] = post
      } catch {
        summary.invalid.append(.init(index: index, field: error.field))
      }
    }
    let owners = try owners()
    var added: [String?: [IngestedPost]] = [:]
    for post in usable.values {
      let isDismissed = try db.hasRow(
        "SELECT 1 FROM dismissed_posts WHERE family_unit_id = ? AND \(PostTables.key("post_url")) = ?",
        [family, post.address.key])
      if isDismissed {
        summary.dismissed += 1
        continue
      }
      let owner = owners[post.author] ?? Owner()
      if try update(post, owner) {
        summary.changed += 1
      } else if try insert(post, owner) {
        summary.added += 1
        added[owner.coach, default: []].append(post)
      } else {
        summary.unchanged += 1
      }
    }
    for (coach, posts) in added { try notify(coach, of: posts) }
    return summary
  }

  /// Returns the owners of the family's handles. Archived ones are used only if there are no others.
  private func owners() throws -> [SocialHandle: Owner] {
    var owners: [SocialHandle: Owner] = [:]
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT 0 AS is_school, id, school_id, twitter_handle, instagram_handle, archived_at IS NOT NULL AS is_archived
        FROM coaches WHERE family_unit_id = ?1
        UNION ALL
        SELECT 1, id, id, twitter_handle, instagram_handle, archived_at IS NOT NULL FROM schools
        WHERE family_unit_id = ?1
        ORDER BY is_school, is_archived, id
        """, arguments: [family])
    for row in rows {
      for platform in SocialPlatform.allCases {
        guard let name: String = row["\(platform.rawValue)_handle"], let handle = try? SocialHandle(name, on: platform)
        else { continue }
        let isSchool: Bool = row["is_school"]
        var owner = owners[handle] ?? Owner()
        if isSchool {
          owner.school = owner.school ?? row["school_id"]
        } else if owner.coach == nil {
          owner = Owner(coach: row["id"], school: row["school_id"])
        }
        owners[handle] = owner
      }
    }
    return owners
  }

  /// Updates a stored post if it was edited, or if it has gained a coach or a school.
  /// - Returns: whether a stored post was changed.
  private func update(_ post: IngestedPost, _ owner: Owner) throws -> Bool {
    try db.execute(
      sql: """
        UPDATE social_media_posts SET post_content = :content, author_name = :name, is_recruiting_related = :recruiting,
          sentiment = :sentiment, coach_id = coalesce(coach_id, :coach), school_id = coalesce(school_id, :school)
        WHERE family_unit_id = :family AND \(PostTables.key("post_url")) = :key AND (
          (post_content, author_name, is_recruiting_related) <> (:content, :name, :recruiting)
          OR sentiment IS NOT :sentiment
          OR coach_id IS NULL AND :coach IS NOT NULL OR school_id IS NULL AND :school IS NOT NULL)
        """, arguments: arguments(post, owner) + (["key": post.address.key] as StatementArguments))
    return db.changesCount > 0
  }

  /// - Returns: `false` if the post is already stored.
  private func insert(_ post: IngestedPost, _ owner: Owner) throws -> Bool {
    var arguments = arguments(post, owner)
    arguments +=
      [
        "platform": post.address.platform.rawValue, "url": post.address.text, "date": post.date,
        "handle": post.author.name, "now": now,
      ] as StatementArguments
    try db.execute(
      sql: """
        INSERT INTO social_media_posts (
          id, family_unit_id, coach_id, school_id, platform, post_url, post_content, post_date, author_handle,
          author_name, is_recruiting_related, flagged_for_review, sentiment, created_at, updated_at)
        VALUES (random_id(), :family, :coach, :school, :platform, :url, :content, :date, :handle, :name, :recruiting,
          FALSE, :sentiment, :now, :now)
        ON CONFLICT DO NOTHING
        """, arguments: arguments)
    return db.changesCount > 0
  }

  private func arguments(_ post: IngestedPost, _ owner: Owner) -> StatementArguments {
    [
      "family": family, "content": post.content, "name": post.authorName,
      "recruiting": post.isRecruitingRelated, "sentiment": post.sentiment?.rawValue, "coach": owner.coach,
      "school": owner.school,
    ]
  }

  /// Adds new posts to the unread notice of each member, or makes one.
  private func notify(_ coach: String?, of posts: [IngestedPost]) throws {
    try db.execute(
      sql: """
        INSERT INTO post_notices (
          id, family_unit_id, user_id, coach_id, post_count, recruiting_count, newest_post_date, created_at)
        SELECT random_id(), family_unit_id, user_id, ?, ?, ?, ?, ? FROM family_members WHERE family_unit_id = ?
        ON CONFLICT (user_id, family_unit_id, coalesce(coach_id, '')) WHERE read_at IS NULL DO UPDATE SET
          post_count = post_count + excluded.post_count,
          recruiting_count = recruiting_count + excluded.recruiting_count,
          newest_post_date = max(newest_post_date, excluded.newest_post_date), created_at = excluded.created_at
        """,
      arguments: [
        coach, posts.count, posts.count { $0.isRecruitingRelated }, posts.map(\.date).max(), now, family,
      ])
  }
}
#endif
