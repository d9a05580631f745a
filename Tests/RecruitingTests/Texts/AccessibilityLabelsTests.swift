import Foundation
import Recruiting
import Testing

@Suite struct AccessibilityLabelsTests {
  private static let now = Samples.date("2026-03-10T16:00:00Z")

  @Test(arguments: [(100, "🏐"), (101, "🏐…")]) func aPostIsShortened(count: Int, end: String) {
    let post = Samples.post(
      at: Self.now - 7200, content: String(repeating: "🏐", count: count), author: "Ann Lee", flagged: true,
      sentiment: .positive)
    let parts = AccessibilityLabels.post(post, now: Self.now).split(separator: ". ")
    #expect(parts.count == 5)
    #expect(parts[0].contains(SocialPlatform.twitter.label) && parts[0].contains("Ann Lee"))
    #expect(parts[1] == RelativeTime.text(post.postDate, now: Self.now))
    #expect(parts[2].hasSuffix(end) && parts[2].count { $0 == "🏐" } == 100)
    #expect(parts[3] == PostSentiment.positive.label)
  }

  @Test func aPostWithoutSentimentHasFewerParts() {
    let labels = [true, false].map { AccessibilityLabels.post(Samples.post(flagged: $0), now: Self.now) }
    #expect(labels[0] != labels[1])
    #expect(labels.map { $0.split(separator: ". ").count } == [4, 4])
  }

  @Test(
    arguments: [
      ("John", "Stanford", 4), ("John", nil, 4), (nil, "Stanford", 4), (nil, nil, 3),
    ] as [(String?, String?, Int)]) func anInteractionNamesThePeople(coach: String?, school: String?, parts: Int)
  {
    let label = AccessibilityLabels.interaction(
      Samples.interaction(subject: "Visit"), coach: coach, school: school, date: "today")
    #expect(label.split(separator: ", ").count == parts)
    for name in [coach, school, "Visit", "today"].compactMap(\.self) { #expect(label.contains(name)) }
  }

  @Test(
    arguments: [("head_coach", "Stanford"), ("head_coach", nil), (nil, "Stanford"), (nil, nil)] as [(String?, String?)])
  func aCoachIsShownWithRoleAndSchool(role: String?, school: String?) {
    let coach = Coach(id: "c", familyUnitId: "f", firstName: "Ann", lastName: "Lee", role: role)
    let label = AccessibilityLabels.coachHeader(coach, school: school)
    for part in [coach.fullName, coach.roleLabel, school].compactMap(\.self) { #expect(label.contains(part)) }
    #expect(label.split(separator: ".").count == (role == nil && school == nil ? 1 : 2))
  }

  @Test(arguments: SocialPlatform.allCases) func aHandleIsShownWithItsPlatform(platform: SocialPlatform) throws {
    let handle = try SocialHandle("https://\(platform == .twitter ? "x" : "instagram").com/ann_lee", on: platform)
    let label = AccessibilityLabels.handle(handle)
    #expect(label.hasPrefix(platform.label) && label.contains("@ann_lee") && !label.contains("https"))
  }

  @Test func aDayChartNamesEachDay() {
    let label = AccessibilityLabels.dayChart([("Feb 3", 0), ("Feb 4", 12)])
    #expect(label.contains("Feb 3: 0 posts.") && label.hasSuffix("Feb 4: 12 posts."))
  }
}
