import Recruiting
import Testing

/// The texts that the page specifications quote. They are a contract with the other apps on the same project, so that the
/// tests compare sentences here.
@Suite struct RecruitingTextsTests {
  private typealias State = RecruitingTexts.EmptyState

  @Test func emptyStatesAreThoseOfTheSpecifications() {
    let coach = Coach(id: "c", familyUnitId: "f", firstName: "Jane", lastName: "Lee", role: nil)
    let states: [(State, title: String, subtitle: String, action: String?)] = [
      (
        RecruitingTexts.noPosts, "No posts yet",
        "Sync posts to start monitoring coach and program social media", "Sync Posts"
      ),
      (
        RecruitingTexts.noMatchingPosts, "No posts match your filters", "Try adjusting your search or filter criteria",
        "Clear Filters"
      ),
      (RecruitingTexts.noPostsInPeriod, "No posts in selected period", "Try selecting a longer time range", nil),
      (
        RecruitingTexts.coachNotFound, "Coach not found", "This coach may have been removed", "Back to Social Feed"
      ),
      (
        RecruitingTexts.noPosts(of: coach), "No posts from this coach",
        "Social posts will appear here once Jane posts on tracked accounts", nil
      ),
      (
        RecruitingTexts.noInteractions, "No interactions yet", "Start logging your recruiting communications",
        "Log Your First Interaction"
      ),
      (
        RecruitingTexts.noMatchingInteractions, "No interactions match your filters",
        "Try adjusting your search or filters", "Clear Filters"
      ),
    ]
    for (state, title, subtitle, action) in states {
      #expect(state == State(title: title, subtitle: subtitle, action: action))
    }
  }

  @Test(arguments: [
    (RecruitingTexts.privacyNotice, "Your recruiting interactions are visible to your linked parent(s)"),
    (RecruitingTexts.confirmPostDeletion, "Delete this post from your feed?"),
    (RecruitingTexts.noSentiment, "No sentiment data available"), (RecruitingTexts.noData, "No data available"),
    (RecruitingTexts.lastDaysTitle, "Activity by Day (last 30 days)"),
    (RecruitingTexts.syncLimit, "Please wait a few minutes before syncing again."),
    (RecruitingTexts.syncFailed("x"), "Sync failed: x"),
    (
      RecruitingTexts.refused(["post_date", "author_name", "post_date"]),
      "3 posts were not stored: invalid author_name (1), post_date (2)"
    ),
    (RecruitingTexts.refused(["post_date"]), "1 post was not stored: invalid post_date (1)"),
    (RecruitingTexts.removed(1), "1 post was removed, because it was deleted on X"),
    (RecruitingTexts.removed(2), "2 posts were removed, because they were deleted on X"),
    (RecruitingTexts.synced(0), "No new posts found. You're up to date!"),
    (RecruitingTexts.synced(1), "Synced 1 new post"),
    (RecruitingTexts.synced(15), "Synced 15 new posts"), (RecruitingTexts.interactionsFound(1), "1 interaction found"),
    (RecruitingTexts.interactionsFound(2), "2 interactions found"),
    (RecruitingTexts.unknownSchool, "Unknown School"), (RecruitingTexts.unknownCoach, "Unknown Coach"),
    (AccessibilityLabels.syncButton, "Sync new posts from Twitter and Instagram"),
    (AccessibilityLabels.coachProfileButton, "View full coach profile"),
    (AccessibilityLabels.filterButton(activeFilters: 2), "Filter posts. 2 filters active."),
    (PostSentiment.veryPositive.labelWithEmoji, "🔥 Very Positive"),
    (PostSentiment.positive.labelWithEmoji, "👍 Positive"),
    (PostSentiment.neutral.labelWithEmoji, "😐 Neutral"), (PostSentiment.negative.labelWithEmoji, "👎 Negative"),
  ])
  func textsAreThoseOfTheSpecifications(text: String, specified: String) {
    #expect(text == specified)
  }
}
