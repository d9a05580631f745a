import Recruiting
import Testing

@Suite struct SocialHandleTests {
  @Test(arguments: [
    ("coachsmith", SocialPlatform.twitter, "coachsmith"), ("@CoachSmith", .twitter, "CoachSmith"),
    ("  @coach_1\n", .twitter, "coach_1"), ("https://x.com/coach", .twitter, "coach"),
    ("http://www.twitter.com/coach/", .twitter, "coach"), ("x.com/@coach?lang=en", .twitter, "coach"),
    ("HTTPS://Mobile.Twitter.com/coach/status/1", .twitter, "coach"), ("m.x.com/coach#top", .twitter, "coach"),
    ("@coach.smith", .instagram, "coach.smith"), ("x.com", .instagram, "x.com"), ("team.com", .instagram, "team.com"),
    ("https://www.instagram.com/coach_smith/?hl=en", .instagram, "coach_smith"),
    ("instagram.com/coach", .instagram, "coach"), ("a23456789012345", .twitter, "a23456789012345"),
  ]) func readsNamesAndAddresses(text: String, platform: SocialPlatform, name: String) throws {
    #expect(try SocialHandle(text, on: platform).name == name)
  }

  @Test(arguments: [
    ("", SocialPlatform.twitter, RecruitingError.ID.handleEmpty), (" @ ", .instagram, .handleEmpty),
    ("two words", .twitter, .handleCharacter), ("coach🏐", .twitter, .handleCharacter),
    ("çoach", .twitter, .handleCharacter), ("@@coach", .twitter, .handleCharacter),
    ("coach.smith", .twitter, .handleCharacter), ("coach-smith", .instagram, .handleCharacter),
    (".coach", .instagram, .handleCharacter), ("coach.", .instagram, .handleCharacter),
    ("co..ach", .instagram, .handleCharacter), ("a234567890123456", .twitter, .handleLength),
    (String(repeating: "a", count: 31), .instagram, .handleLength), ("https://x.com/", .twitter, .handleAddress),
    ("x.com", .twitter, .handleAddress), ("https://x.com?coach", .twitter, .handleAddress),
    ("https://x.com/i/web/status/1", .twitter, .handleAddress), ("https://x.com/home", .twitter, .handleAddress),
    ("https://instagram.com/p/ABC", .instagram, .handleAddress), ("https://evil.com/coach", .twitter, .handleHost),
    ("https://x.com@evil.com/coach", .twitter, .handleHost), ("https://x.com.evil.com/coach", .twitter, .handleHost),
    ("https://instagram.com/coach", .twitter, .handleHost), ("https://twitter.com/coach", .instagram, .handleHost),
    ("javascript:alert(1)//x.com/coach", .twitter, .handleHost), ("ftp://x.com/coach", .twitter, .handleHost),
    ("https://x.com/co ach", .twitter, .handleCharacter), ("https://x.com/co%20ach", .twitter, .handleCharacter),
    ("https://x.com:443/coach", .twitter, .handleHost), ("//x.com/coach", .twitter, .handleHost),
  ]) func refusesOtherText(text: String, platform: SocialPlatform, id: RecruitingError.ID) {
    let error = #expect(throws: RecruitingError.self) { try SocialHandle(text, on: platform) }
    #expect(error?.id == id)
    #expect(error?.facts["platform"] == platform.rawValue)
  }

  @Test func theFirstWrongCharacterIsAFact() {
    let error = #expect(throws: RecruitingError.self) { try SocialHandle("co👩‍👩‍👧ach", on: .twitter) }
    #expect(error?.facts["character"] == "👩‍👩‍👧")
  }

  @Test func platformsIgnoreCase() throws {
    let handles = try ["Coach", "coach", "@COACH"].map { try SocialHandle($0, on: .twitter) }
    #expect(Set(handles).count == 1)
    #expect(try SocialHandle("coach", on: .instagram) != handles[0])
  }

  @Test func linksLeadToThePlatforms() throws {
    #expect(try SocialHandle("x.com/Coach", on: .twitter).address == "https://twitter.com/Coach")
    #expect(try SocialHandle("@a.b", on: .instagram).address == "https://instagram.com/a.b")
    #expect(try SocialHandle("coach", on: .twitter).display == "@coach")
  }
}
