import Foundation
import Recruiting
import Testing

@Suite struct ModelTests {
  @Test func storedNamesAreThoseOfTheDatabase() {
    #expect(PostSentiment.allCases.map(\.rawValue) == ["very_positive", "positive", "neutral", "negative"])
    #expect(SocialPlatform.allCases.map(\.rawValue) == ["twitter", "instagram"])
    #expect(FamilyRole.allCases.map(\.rawValue) == ["athlete", "parent"])
    #expect(InteractionDirection.allCases.map(\.rawValue) == ["outbound", "inbound"])
    #expect(HighlightLink.Channel.allCases.map(\.rawValue) == ["email", "dm", "tweet", "text"])
    #expect(HighlightLink.Channel.allCases.map(\.interactionType.rawValue) == ["email", "dm", "tweet", "text"])
    #expect(
      InteractionType.allCases.map(\.rawValue) == [
        "email", "phone_call", "text", "in_person_visit", "virtual_meeting", "camp", "showcase", "tweet", "dm",
      ])
  }

  @Test(arguments: [
    ("head_coach", "Head Coach"), ("assistant coach", "Assistant Coach"),
    ("recruiting_coordinator", "Recruiting Coordinator"),
    ("GA", "GA"), ("", nil), (" _ ", nil), (nil, nil),
  ]) func rolesAreShownAsWords(role: String?, label: String?) {
    #expect(Coach(id: "c", familyUnitId: "f", firstName: "Ann", lastName: "Lee", role: role).roleLabel == label)
  }

  @Test func onlyValidHandlesBecomeLinks() {
    let coach = Coach(
      id: "c", familyUnitId: "f", firstName: "Ann", lastName: "Lee", twitterHandle: "javascript:alert(1)",
      instagramHandle: "@ann.lee")
    #expect(coach.handles.map(\.address) == ["https://instagram.com/ann.lee"])
  }

  @Test(arguments: [(nil, "Phone Call"), ("", "Phone Call"), (" ", "Phone Call"), ("Visit", "Visit")])
  func aTypeReplacesAMissingSubject(subject: String?, title: String) {
    let interaction = Interaction(
      id: "i", type: .phoneCall, direction: .inbound, subject: subject, loggedBy: "u", createdAt: .distantPast)
    #expect(interaction.title == title)
  }

  @Test(arguments: [
    (nil, 10.0, HighlightLink.State.active), (nil, 0, .expired), (nil, -1, .expired), (-5.0, 10, .revoked),
    (-5.0, -1, .revoked),
  ]) func linksEnd(revoked: Double?, expires: Double, state: HighlightLink.State) {
    let now = Date(timeIntervalSince1970: 1_000_000)
    let link = HighlightLink(
      id: "l", highlightId: "h", coachId: "c", sentBy: "u", channel: .email, createdAt: now,
      expiresAt: now + expires, revokedAt: revoked.map { now + $0 })
    #expect(link.state(at: now) == state)
  }
}

@Suite struct RecruitingDateTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2026-02-10T14:30:00Z", 1_770_733_800),
    ("2026-02-10T14:30:00.250Z", 1_770_733_800.25),
    ("2026-02-10T14:30:00+0000", 1_770_733_800), ("2026-02-10T16:30:00.25+02:00", 1_770_733_800.25),
    ("2026-02-10 09:30:00-05", 1_770_733_800), ("2026-02-10t14:30:00z", 1_770_733_800),
    ("2000-02-29T00:00:00Z", 951_782_400), ("1969-12-31T23:59:59Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800),
  ]) func readsTimes(text: String, seconds: Double) throws {
    #expect(try #require(RecruitingDate.parse(text)).timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "2026-02-10", "2026-02-10T14:30:00", "2026-02-10T14:30Z", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-02-10T24:00:00Z", "2026-02-10T14:30:00.Z", "2026-02-10T14:30:00Zx",
    "1900-02-29T00:00:00Z",
    "2026-02-10T14:30:00+2400", "yesterday", "２０26-02-10T14:30:00Z",
  ]) func refusesOtherText(text: String) {
    #expect(RecruitingDate.parse(text) == nil)
  }

  @Test func readsEachDayThatItWrites() {
    for day in stride(from: -100_000.0, to: 60_000, by: 997) {
      let date = Date(timeIntervalSince1970: day * 86_400 + 12_345.5)
      #expect(RecruitingDate.parse(RecruitingDate.format(date)) == date)
    }
  }
}

@Suite struct RowListTests {
  @Test func invalidRowsAreSkipped() throws {
    let json = """
      [{"id": "1", "platform": "twitter", "post_url": "u", "post_content": "c", "post_date": "2026-02-10T14:30:00.5+00:00",
        "author_handle": "h", "author_name": "n", "is_recruiting_related": true, "flagged_for_review": false,
        "sentiment": null, "coach_id": "k", "family_unit_id": "f"},
       {"id": "2", "platform": "facebook"}, 5, null,
       {"id": "3", "platform": "instagram", "post_url": "u", "post_content": "c", "post_date": "soon", "author_handle": "h",
        "author_name": "n", "is_recruiting_related": false, "flagged_for_review": false},
       {"id": "4", "platform": "instagram", "post_url": "u", "post_content": "c", "post_date": "2026-02-10T14:30:00Z",
        "author_handle": "h", "author_name": "n", "is_recruiting_related": false, "flagged_for_review": true,
        "sentiment": "very_positive"}]
      """
    let list = try RowList<SocialPost>.decode(Data(json.utf8))
    #expect(list.rows.map(\.id) == ["1", "4"])
    #expect(list.rows.map(\.sentiment) == [nil, .veryPositive])
    #expect(list.rows.first?.coachId == "k")
    #expect(list.skipped.map(\.index) == [1, 2, 3, 4])
  }

  @Test(arguments: [(1000, true), (1001, false)]) func invalidRowsAreLimited(count: Int, isList: Bool) {
    let list = try? RowList<School>.decode(Data("[\(repeatElement("0", count: count).joined(separator: ","))]".utf8))
    #expect(list?.skipped.count == (isList ? count : nil))
  }

  @Test func whatIsNotAListIsAnError() {
    #expect(throws: (any Error).self) { try RowList<School>.decode(Data("{}".utf8)) }
  }
}
