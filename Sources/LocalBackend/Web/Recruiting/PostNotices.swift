#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The numbers of new posts on the page `/social`, and the form that marks them as read for the visitor.
enum PostNotices {
  static func add(to router: Router<BackendContext>, _ site: RecruitingSite) {
    router.post("social/notices/read") { request, context in
      let (member, fields) = try await site.form(request, context)
      let seen = (fields["seen"] ?? "").split(separator: " ").compactMap(filter)
      if !seen.isEmpty {
        try await member.rows.update(
          "post_notices", ["read_at": timestampText(member.now).databaseValue],
          where: [isUnread, .any(seen, isNegated: false)])
      }
      return PageSite.redirect(to: member.path("/social"))
    }
  }

  private static let isUnread = RowFilter.comparison(column: "read_at", isNegated: false, .isNull)

  /// The condition for a notice that the form contains as its ID and its number of posts. A notice to which posts were
  /// added after the page was loaded stays unread.
  private static func filter(_ seen: Substring) -> RowFilter? {
    let parts = seen.split(separator: ":")
    guard parts.count == 2, let id = UUID(uuidString: String(parts[0])), let count = parseDecimal(parts[1]) else {
      return nil
    }
    return .all([.equals("id", id.uuidString.lowercased()), .equals("post_count", "\(count)")], isNegated: false)
  }

  /// The values of the template `social`.
  static func values(_ member: FamilyVisitor) async throws -> [String: Any?] {
    let notices: [PostNotice] = try await member.rows.all(
      "post_notices", "select=*&order=newest_post_date.desc,id.desc", [member.inFamily, isUnread])
    if notices.isEmpty { return [:] }
    let names = try await member.coaches().namesByID
    return [
      "hasNotices": true, "noticesTitle": RecruitingTexts.newPosts(notices.map(\.postCount).reduce(0, +)),
      "noticesSeen": notices.map { "\($0.id):\($0.postCount)" }.joined(separator: " "),
      "notices": notices.map { notice in
        let values: [String: Any?] = [
          "noticePath": notice.coachId.map { "/social/coach/\($0)" },
          "noticeName": notice.coachId.map { names[$0] ?? RecruitingTexts.unknownCoach }
            ?? RecruitingTexts.otherAccounts,
          "noticeText": RecruitingTexts.newPosts(notice.postCount, recruiting: notice.recruitingCount),
        ]
        return values.compactMapValues(\.self)
      },
    ]
  }
}
#endif
