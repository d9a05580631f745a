/// The texts that the four page specifications prescribe.
public enum RecruitingTexts {
  public static let unknownSchool = "Unknown School"
  public static let unknownCoach = "Unknown Coach"
  public static let unknownMember = "Former Member"

  /// A page without content: what it says, and the action that it offers.
  public struct EmptyState: Equatable, Sendable {
    public let title: String
    public let subtitle: String
    public let action: String?
  }

  public static let noPosts = EmptyState(
    title: "No posts yet", subtitle: "Sync posts to start monitoring coach and program social media",
    action: "Sync Posts")
  public static let noMatchingPosts = EmptyState(
    title: "No posts match your filters", subtitle: "Try adjusting your search or filter criteria",
    action: "Clear Filters")
  public static let noPostsInPeriod = EmptyState(
    title: "No posts in selected period", subtitle: "Try selecting a longer time range", action: nil)
  public static let coachNotFound = EmptyState(
    title: "Coach not found", subtitle: "This coach may have been removed", action: "Back to Social Feed")
  public static let noInteractions = EmptyState(
    title: "No interactions yet", subtitle: "Start logging your recruiting communications",
    action: "Log Your First Interaction")
  public static let noMatchingInteractions = EmptyState(
    title: "No interactions match your filters", subtitle: "Try adjusting your search or filters",
    action: "Clear Filters")
  public static func noPosts(of coach: Coach) -> EmptyState {
    EmptyState(
      title: "No posts from this coach",
      subtitle: "Social posts will appear here once \(coach.firstName) posts on tracked accounts", action: nil)
  }

  public static let privacyNotice = "Your recruiting interactions are visible to your linked parent(s)"
  public static let confirmPostDeletion = "Delete this post from your feed?"
  public static let noSentiment = "No sentiment data available"
  public static let noData = "No data available"
  public static let lastDaysTitle = "Activity by Day (last 30 days)"

  public static let syncLimit = "Please wait a few minutes before syncing again."
  public static let timeout = "Connection timed out"
  public static let serverError = "Server error. Please try again."
  public static let postsUnavailable = "Unable to load posts. Check your connection."
  public static let coachUnavailable = "Unable to load coach profile. Check your connection."
  public static let analyticsUnavailable = "Unable to load analytics. Check your connection."

  /// The message after a sync.
  public static func synced(_ count: Int) -> String {
    switch count {
    case 0: "No new posts found. You're up to date!"
    case 1: "Synced 1 new post"
    default: "Synced \(count) new posts"
    }
  }
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
