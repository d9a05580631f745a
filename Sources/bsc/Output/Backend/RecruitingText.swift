#if Recruiting
import ClipModel
import Foundation
import Recruiting
import Reports
import ShareEngine

/// Formats families, coaches, interactions, posts and links as text.
enum RecruitingText {
  static func line(_ family: FamilyUnit, isActive: Bool = false) -> StyledText {
    "\(family.id, .strong)  \([family.name, isActive ? "active" : nil].detailLine)"
  }

  static func line(_ member: FamilyMember, isYou: Bool) -> StyledText {
    let name = member.username.map { "@\($0)" }
    return "\(member.userId, .strong)  \([member.role.label, member.displayName, name, isYou ? "you" : nil].detailLine)"
  }

  static func line(_ invite: FamilyInvite) -> StyledText {
    "\(invite.id, .strong)  \([invite.role.label, "open until \(LocalTime.format(invite.expiresAt))"].detailLine)"
  }

  static func line(_ school: School) -> StyledText {
    let details = [
      school.name, school.twitterHandle.map { "X @\($0)" }, school.instagramHandle.map { "Instagram @\($0)" },
      archived(school.archivedAt),
    ]
    return "\(school.id, .strong)  \(details.detailLine)"
  }

  static func line(_ coach: Coach, school: String?) -> StyledText {
    let details = [
      coach.fullName, coach.roleLabel, school,
      coach.lastContactDate.map { "last contact \(LocalTime.format($0))" }, archived(coach.archivedAt),
    ]
    return "\(coach.id, .strong)  \(details.detailLine)"
  }

  static func details(_ school: School) -> [StyledText] {
    [line(school)]
      + facts([
        ("x", address(school.twitterHandle, .twitter)), ("instagram", address(school.instagramHandle, .instagram)),
      ])
  }

  static func details(_ coach: Coach, school: String?, _ posts: PostStatistics) -> [StyledText] {
    let handles = coach.handles.map { ($0.platform == .twitter ? "x" : "instagram", Optional($0.address)) }
    return [line(coach, school: school)] + facts(handles + [("posts", figures(posts))])
  }

  // MARK: Interactions

  static func line(_ interaction: Interaction, _ names: FamilyNames) -> StyledText {
    let details = [
      LocalTime.format(interaction.displayDate), interaction.type.label, interaction.direction.label,
      names.coach(interaction.coachId), names.school(interaction.schoolId), interaction.subject,
    ]
    return "\(interaction.id, .strong)  \(details.detailLine)"
  }

  static func details(_ interaction: Interaction, _ names: FamilyNames) -> [StyledText] {
    [line(interaction, names)]
      + facts([
        ("sentiment", interaction.sentiment?.label), ("logged by", names.member(interaction.loggedBy)),
        ("attached", attachmentNames(of: interaction)),
        ("content", interaction.content),
      ])
  }

  /// The names of stored pictures, and the other attachments as they are.
  private static func attachmentNames(of interaction: Interaction) -> String? {
    guard let attachments = interaction.attachments, !attachments.isEmpty else { return nil }
    let stored = Set(interaction.storedAttachments)
    return attachments.map { stored.contains($0) ? String($0.split(separator: "/").last ?? "") : $0 }
      .joined(separator: ", ")
  }

  static func figures(_ figures: InteractionFigures) -> String {
    "\(figures.total) in total: \(figures.outbound) outbound, \(figures.inbound) inbound, \(figures.thisWeek) this week"
  }

  // MARK: Posts

  static func line(_ post: SocialPost) -> StyledText {
    let details = [
      LocalTime.format(post.postDate), post.platform.label, "@\(post.authorHandle)",
      post.isRecruitingRelated ? "recruiting" : nil, post.flaggedForReview ? "flagged" : nil, post.sentiment?.label,
      String(post.postContent.prefix(200)),
    ]
    return "\(post.id, .strong)  \(details.detailLine)"
  }

  static func line(_ notice: PostNotice, coach: String?) -> StyledText {
    let details: [String?] = [
      RecruitingTexts.newPosts(notice.postCount, recruiting: notice.recruitingCount),
      "newest \(LocalTime.format(notice.newestPostDate))",
    ]
    return "\((coach ?? RecruitingTexts.otherAccounts).onOneLine, .strong)  \(details.detailLine)"
  }

  static func details(_ post: SocialPost) -> [StyledText] {
    [line(post)] + facts([("address", post.postUrl), ("author", post.authorName), ("notes", post.notes)])
  }

  static func figures(_ statistics: PostStatistics) -> String {
    """
    \(statistics.total) in total: \(statistics.twitter) on X, \(statistics.instagram) on Instagram, \
    \(statistics.flaggedLabel) flagged
    """
  }

  static func details(_ figures: SocialAnalytics, _ range: SocialAnalytics.Range) -> [StyledText] {
    let sentiments = figures.sentiments.map { share in
      ("", Optional("\(share.sentiment.label): \(share.count) (\(share.percentage) %)"))
    }
    let schools = figures.schools.map { ("", Optional("\($0.name): \($0.count)")) }
    return ["\(range.label, .strong)"]
      + facts([
        ("posts", "\(figures.total) (\(figures.twitter) on X, \(figures.instagram) on Instagram)"),
        ("recruiting", "\(figures.recruiting) (\(figures.recruitingPercentage) %)"),
        ("positive", "\(figures.positive) of \(figures.analyzed) analyzed (\(figures.positivePercentage) %)"),
        ("schools", "\(figures.activeSchools) active"),
      ]) + facts([("sentiment", "")] + sentiments)
      + (schools.isEmpty ? [] : facts([("most active", "")] + schools))
  }

  // MARK: Links

  static func line(_ link: HighlightLink, _ names: FamilyNames, now: Date) -> StyledText {
    let opened = link.firstOpenedAt.map {
      "opened \(link.openCount == 1 ? "once" : "\(link.openCount) times"), first \(LocalTime.format($0))"
    }
    let details = [
      LocalTime.format(link.createdAt), names.coach(link.coachId), link.channel.interactionType.label,
      link.state(at: now).rawValue, opened ?? "not opened", "highlight \(link.highlightId.prefix(8))",
    ]
    return "\(link.id, .strong)  \(details.detailLine)"
  }

  // MARK: Imports

  static func describe(_ reason: ImportProblem.Reason) -> (column: String?, text: String) {
    switch reason {
    case .missing(let column): (column, "\(column) is empty")
    case .invalid(let column, let value): (column, "\(column) cannot be \"\(value)\"")
    case .tooLong(let column, let limit): (column, "\(column) has more than \(limit) characters")
    case .refused(let column, let error): (column, "\(error)")
    case .unknown(let column, let value): (column, "there is no \(column) with the name \"\(value)\"")
    case .ambiguous(let column, let value): (column, "more than one \(column) has the name \"\(value)\"")
    case .tooManyFields(let count, let limit): (nil, "it has \(count) fields, but the header has \(limit)")
    }
  }

  // MARK: Parts

  private static func facts(_ facts: [(String, String?)]) -> [StyledText] {
    facts.compactMap { label, value in value.map { .labeledLine(label, StyledText([$0].detailLine)) } }
  }

  private static func address(_ handle: String?, _ platform: SocialPlatform) -> String? {
    handle.flatMap { try? SocialHandle($0, on: platform) }?.address
  }

  private static func archived(_ time: Date?) -> String? { time == nil ? nil : "archived" }
}
#endif
