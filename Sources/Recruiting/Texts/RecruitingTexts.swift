/// The texts that the four page specifications prescribe.
public enum RecruitingTexts {
  /// Instead of the name of a school that was deleted.
  public static let unknownSchool = "Unknown School"
  /// Instead of the name of a coach who was deleted.
  public static let unknownCoach = "Unknown Coach"
  /// Instead of the name of a member who left the family.
  public static let unknownMember = "Former Member"

  /// The texts of a page without content, with the action that it offers.
  public struct EmptyState: Equatable, Sendable {
    /// The heading.
    public let title: String
    /// The sentence below the heading.
    public let subtitle: String
    /// The label of the button. `nil` without one.
    public let action: String?

    /// Creates the texts of a page.
    public init(title: String, subtitle: String, action: String?) {
      self.title = title
      self.subtitle = subtitle
      self.action = action
    }
  }

  /// The feed before the first sync.
  public static let noPosts = EmptyState(
    title: "No posts yet", subtitle: "Sync posts to start monitoring coach and program social media",
    action: "Sync Posts")
  /// The feed if its filters hide all posts.
  public static let noMatchingPosts = EmptyState(
    title: "No posts match your filters", subtitle: "Try adjusting your search or filter criteria",
    action: "Clear Filters")
  /// The analytics page without posts in its range.
  public static let noPostsInPeriod = EmptyState(
    title: "No posts in selected period", subtitle: "Try selecting a longer time range", action: nil)
  /// The page of a coach who doesn't exist.
  public static let coachNotFound = EmptyState(
    title: "Coach not found", subtitle: "This coach may have been removed", action: "Back to Social Feed")
  /// The list of interactions without any.
  public static let noInteractions = EmptyState(
    title: "No interactions yet", subtitle: "Start logging your recruiting communications",
    action: "Log Your First Interaction")
  /// The list of interactions if its filters hide all of them.
  public static let noMatchingInteractions = EmptyState(
    title: "No interactions match your filters", subtitle: "Try adjusting your search or filters",
    action: "Clear Filters")
  /// The page of a coach without posts.
  public static func noPosts(of coach: Coach) -> EmptyState {
    EmptyState(
      title: "No posts from this coach",
      subtitle: "Social posts will appear here once \(coach.firstName) posts on tracked accounts", action: nil)
  }

  /// The notice above an athlete's interactions.
  public static let privacyNotice = "Your recruiting interactions are visible to your linked parent(s)"
  /// The question before a post is deleted.
  public static let confirmPostDeletion = "Delete this post from your feed?"
  /// The sentiment chart without analyzed posts.
  public static let noSentiment = "No sentiment data available"
  /// Any other chart without posts.
  public static let noData = "No data available"
  /// The title of the day chart.
  public static let lastDaysTitle = "Activity by Day (last 30 days)"

  /// A sync that is started too early (`PT429`).
  public static let syncLimit = "Please wait a few minutes before syncing again."

  /// The number of new posts: `3 new posts, 1 about recruiting`.
  public static func newPosts(_ count: Int, recruiting: Int = 0) -> String {
    let posts = count == 1 ? "1 new post" : "\(count) new posts"
    return recruiting > 0 ? "\(posts), \(recruiting) about recruiting" : posts
  }
  /// Instead of the name of a coach, for the posts of schools and other accounts.
  public static let otherAccounts = "Other accounts"

  /// Why the posts of an account could not be read.
  public static func reason(_ problem: SyncProblem) -> String {
    switch problem {
    case .unknownAccount: "the account does not exist or is suspended"
    case .protectedAccount: "only followers can read its posts"
    case .notReadable: "Instagram allows this only for professional accounts"
    case .rateLimited: "the platform's limit is reached"
    case .unauthorized: "the token is invalid or has no access"
    case .unavailable: "the platform is not available"
    case .invalidResponse: "the platform's response is invalid"
    }
  }

  /// The message after a sync.
  public static func synced(_ count: Int) -> String {
    switch count {
    case 0: "No new posts found. You're up to date!"
    case 1: "Synced 1 new post"
    default: "Synced \(count) new posts"
    }
  }
  /// A note about posts that the backend didn't store: `2 posts were not stored: invalid author_name (1), post_date (1)`.
  /// - Parameter fields: the name of the invalid column of each post.
  public static func refused(_ fields: [String]) -> String {
    let counts = Dictionary(grouping: fields) { $0 }.map { "\($0.key) (\($0.value.count))" }.sorted()
    let posts = fields.count == 1 ? "1 post was" : "\(fields.count) posts were"
    return "\(posts) not stored: invalid \(counts.joined(separator: ", "))"
  }
  /// A note about posts that were deleted on X.
  public static func removed(_ count: Int) -> String {
    count == 1
      ? "1 post was removed, because it was deleted on X"
      : "\(count) posts were removed, because they were deleted on X"
  }
  /// A note about posts that a platform returned in an unexpected format.
  public static func skipped(_ count: Int) -> String {
    count == 1
      ? "1 post was skipped: the platform returned it in an unexpected format"
      : "\(count) posts were skipped: the platform returned them in an unexpected format"
  }
  /// The message after a failed sync.
  public static func syncFailed(_ reason: String) -> String { "Sync failed: \(reason)" }

  /// The number of results above the list: `1 interaction found`.
  public static func interactionsFound(_ count: Int) -> String {
    "\(count) \(count == 1 ? "interaction" : "interactions") found"
  }

  /// The name of a reference: `nil` without one, a name or `unknown` if it is gone.
  public static func name(of id: String?, in names: [String: String], unknown: String) -> String? {
    id.map { names[$0] ?? unknown }
  }
}
