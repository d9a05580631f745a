public import Foundation

/// The labels that screen readers announce, from the page specifications.
public enum AccessibilityLabels {
  /// The button that starts a sync.
  public static let syncButton = "Sync new posts from Twitter and Instagram"
  /// The link from a post to the coach.
  public static let coachProfileButton = "View full coach profile"

  /// The button that shows the filters.
  public static func filterButton(activeFilters: Int) -> String { "Filter posts. \(activeFilters) filters active." }

  /// A card with a figure: `Total Posts: 12. All platforms`.
  public static func figure(_ label: String, _ value: String, subtitle: String? = nil) -> String {
    subtitle.map { "\(label): \(value). \($0)" } ?? "\(label): \(value)"
  }

  /// `Twitter/X post from Coach Smith. 2h ago. The text. Positive. Flagged.` At most 100 characters of the text.
  public static func post(_ post: SocialPost, now: Date) -> String {
    let preview = post.postContent.count > 100 ? post.postContent.prefix(100) + "…" : post.postContent[...]
    var parts = [
      "\(post.platform.label) post from \(post.authorName)", RelativeTime.text(post.postDate, now: now),
      String(preview),
    ]
    if let sentiment = post.sentiment { parts.append(sentiment.label) }
    parts.append(post.flaggedForReview ? "Flagged" : "Not flagged")
    return parts.map { "\($0)." }.joined(separator: " ")
  }

  /// `Email Outbound, Visit, with John Smith at Stanford, Feb 3, 2026, 2:15 PM`.
  public static func interaction(_ interaction: Interaction, coach: String?, school: String?, date: String) -> String {
    let people =
      switch (coach, school) {
      case (let coach?, let school?): "with \(coach) at \(school)"
      case (let coach?, nil): "with \(coach)"
      case (nil, let school?): "with \(school)"
      case (nil, nil): ""
      }
    return [
      "\(interaction.type.label) \(interaction.direction.label)", interaction.title, people, date,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// `John Smith. Head Coach at Stanford.`
  public static func coachHeader(_ coach: Coach, school: String?) -> String {
    switch (coach.roleLabel, school) {
    case (let role?, let school?): "\(coach.fullName). \(role) at \(school)."
    case (let role?, nil): "\(coach.fullName). \(role)."
    case (nil, let school?): "\(coach.fullName). \(school)."
    case (nil, nil): "\(coach.fullName)."
    }
  }

  /// `Instagram handle: @coach. Opens the external profile.`
  public static func handle(_ handle: SocialHandle) -> String {
    "\(handle.platform.label) handle: \(handle.display). Opens the external profile."
  }

  /// All rows of the chart as sentences.
  public static func sentimentChart(_ shares: [SocialAnalytics.SentimentShare]) -> String {
    let rows = shares.map { "\($0.sentiment.label): \($0.count) posts, \($0.percentage) percent." }
    return (["Sentiment distribution chart."] + rows).joined(separator: " ")
  }

  /// All bars of the chart as sentences. The labels are those of `RecruitingTimeZone.dayLabel`.
  public static func dayChart(_ days: [(label: String, count: Int)]) -> String {
    (["Activity by day chart."] + days.map { "\($0.label): \($0.count) posts." }).joined(separator: " ")
  }

  /// A row of the list of schools. The rank starts at 1.
  public static func school(rank: Int, _ school: SocialAnalytics.SchoolActivity) -> String {
    "Rank \(rank). \(school.name). \(school.count) posts."
  }
}
