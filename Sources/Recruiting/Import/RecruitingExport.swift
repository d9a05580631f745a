public import Foundation

/// The tables that users export. Their columns are those of the import, if there is one.
public enum RecruitingExport {
  /// - Parameters:
  ///   - schools: names by ID.
  ///   - people: names of members by user ID.
  public static func interactions(
    _ interactions: [Interaction], schools: [String: String], coaches: [String: String], people: [String: String],
    in zone: RecruitingTimeZone
  ) -> String {
    let header = [
      "occurred_at", "type", "direction", "subject", "content", "school", "coach", "sentiment", "logged_by",
      "attachments",
    ]
    let rows = interactions.map { entry in
      [
        zone.exportText(entry.displayDate), entry.type.label, entry.direction.label, entry.subject ?? "",
        entry.content ?? "",
        RecruitingTexts.name(of: entry.schoolId, in: schools, unknown: RecruitingTexts.unknownSchool) ?? "",
        RecruitingTexts.name(of: entry.coachId, in: coaches, unknown: RecruitingTexts.unknownCoach) ?? "",
        entry.sentiment?.label ?? "", people[entry.loggedBy] ?? RecruitingTexts.unknownMember,
        "\(entry.attachmentCount)",
      ]
    }
    return ([header] + rows).map(CSVWriter.record).joined()
  }

  /// One row per post. Dates are in the given zone, with its offset.
  public static func posts(_ posts: [SocialPost], in zone: RecruitingTimeZone) -> String {
    let header = [
      "post_date", "platform", "author_handle", "author_name", "post_content", "post_url", "sentiment", "recruiting",
      "flagged", "notes",
    ]
    let rows = posts.map { post in
      [
        zone.exportText(post.postDate), post.platform.rawValue, post.authorHandle, post.authorName, post.postContent,
        post.postUrl, post.sentiment?.rawValue ?? "", post.isRecruitingRelated ? "yes" : "no",
        post.flaggedForReview ? "yes" : "no", post.notes ?? "",
      ]
    }
    return ([header] + rows).map(CSVWriter.record).joined()
  }

  /// One row per family.
  /// - Parameter active: the ID of the family that commands use.
  public static func families(_ families: [FamilyUnit], active: String?) -> String {
    let rows = families.map { [$0.name, $0.id == active ? "yes" : "no", $0.id] }
    return ([["name", "active", "id"]] + rows).map(CSVWriter.record).joined()
  }

  /// One row per member. Dates are in the given zone, with its offset.
  public static func members(_ members: [FamilyMember], in zone: RecruitingTimeZone) -> String {
    let rows = members.map { member in
      [
        member.displayName, member.username ?? "", member.role.rawValue, member.createdAt.map(zone.exportText) ?? "",
        member.userId,
      ]
    }
    return ([["name", "username", "role", "created_at", "user_id"]] + rows).map(CSVWriter.record).joined()
  }

  /// One row per invitation, without its code. Dates are in the given zone, with its offset.
  public static func invites(_ invites: [FamilyInvite], in zone: RecruitingTimeZone) -> String {
    let rows = invites.map { [$0.role.rawValue, zone.exportText($0.expiresAt), $0.id] }
    return ([["role", "expires_at", "id"]] + rows).map(CSVWriter.record).joined()
  }

  /// One row per coach with new posts, and one for all other accounts. Dates are in the given zone, with its offset.
  /// - Parameter coaches: names by ID.
  public static func notices(
    _ notices: [PostNotice], coaches: [String: String], in zone: RecruitingTimeZone
  ) -> String {
    let rows = notices.map { notice in
      [
        RecruitingTexts.name(of: notice.coachId, in: coaches, unknown: RecruitingTexts.unknownCoach)
          ?? RecruitingTexts.otherAccounts,
        "\(notice.postCount)", "\(notice.recruitingCount)", zone.exportText(notice.newestPostDate),
      ]
    }
    return ([["coach", "posts", "recruiting", "newest_post_date"]] + rows).map(CSVWriter.record).joined()
  }

  /// One row per school.
  public static func schools(_ schools: [School]) -> String {
    let rows = schools.map { [$0.name, $0.twitterHandle ?? "", $0.instagramHandle ?? ""] }
    return ([["name", "twitter_handle", "instagram_handle"]] + rows).map(CSVWriter.record).joined()
  }

  /// One row per coach.
  /// - Parameter schools: names by ID.
  public static func coaches(_ coaches: [Coach], schools: [String: String]) -> String {
    let header = ["first_name", "last_name", "school", "role", "twitter_handle", "instagram_handle"]
    let rows = coaches.map { coach in
      [
        coach.firstName, coach.lastName,
        RecruitingTexts.name(of: coach.schoolId, in: schools, unknown: RecruitingTexts.unknownSchool) ?? "",
        coach.role ?? "", coach.twitterHandle ?? "", coach.instagramHandle ?? "",
      ]
    }
    return ([header] + rows).map(CSVWriter.record).joined()
  }

  /// One row per link.
  /// - Parameter coaches: names by ID.
  public static func links(
    _ links: [HighlightLink], coaches: [String: String], now: Date, in zone: RecruitingTimeZone
  ) -> String {
    let header = [
      "created_at", "coach", "channel", "state", "open_count", "first_opened_at", "expires_at", "highlight",
    ]
    let rows = links.map { link in
      [
        zone.exportText(link.createdAt), coaches[link.coachId] ?? RecruitingTexts.unknownCoach,
        link.channel.interactionType.label, link.state(at: now).rawValue, "\(link.openCount)",
        link.firstOpenedAt.map(zone.exportText) ?? "", zone.exportText(link.expiresAt), link.highlightId,
      ]
    }
    return ([header] + rows).map(CSVWriter.record).joined()
  }

  /// One row per figure: section, name, count, percentage.
  public static func analytics(_ figures: SocialAnalytics) -> String {
    var rows = [
      ["section", "name", "count", "percentage"], ["summary", "Total Posts", "\(figures.total)", ""],
      ["summary", "Recruiting Posts", "\(figures.recruiting)", "\(figures.recruitingPercentage)"],
      ["summary", "Positive Sentiment", "\(figures.positive)", "\(figures.positivePercentage)"],
      ["summary", "Active Schools", "\(figures.activeSchools)", ""],
      ["platform", SocialPlatform.twitter.label, "\(figures.twitter)", ""],
      ["platform", SocialPlatform.instagram.label, "\(figures.instagram)", ""],
    ]
    rows += figures.sentiments.map { ["sentiment", $0.sentiment.label, "\($0.count)", "\($0.percentage)"] }
    rows += figures.schools.map { ["school", $0.name, "\($0.count)", ""] }
    rows += figures.days.map { ["day", $0.day, "\($0.count)", ""] }
    return rows.map(CSVWriter.record).joined()
  }
}
