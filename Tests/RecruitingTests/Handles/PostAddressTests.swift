import Recruiting
import Testing

@Suite struct PostAddressTests {
  // The same list as in supabase/tests/420_posts.test.sql.
  @Test(arguments: [
    ("https://x.com/Coach/status/12", SocialPlatform.twitter, "https://twitter.com/coach/status/12"),
    ("http://www.twitter.com/COACH/status/12?s=20", .twitter, "https://twitter.com/coach/status/12"),
    ("https://mobile.twitter.com/coach/status/12/#x", .twitter, "https://twitter.com/coach/status/12"),
    ("https://x.com/i/web/status/12", .twitter, "https://twitter.com/i/status/12"),
    ("https://twitter.com/i/status/12", .twitter, "https://twitter.com/i/status/12"),
    ("https://www.instagram.com/p/AbC-_1/?utm=1", .instagram, "https://instagram.com/p/AbC-_1"),
    ("https://instagram.com/reel/AbC", .instagram, "https://instagram.com/p/AbC"),
    ("https://instagram.com/john.ig/p/AbC/", .instagram, "https://instagram.com/p/AbC"),
  ]) func onePostHasOneAddress(text: String, platform: SocialPlatform, address: String) throws {
    #expect(try PostAddress(text, on: platform).text == address)
    #expect(try PostAddress(text).platform == platform)
    #expect(try PostAddress(address, on: platform).text == address)
  }

  @Test(arguments: [
    ("https://x.com/coach", SocialPlatform.twitter), ("https://x.com/coach/status/", .twitter),
    ("https://x.com/co ach/status/1", .twitter), ("javascript:alert(1)//x.com/coach/status/1", .twitter),
    ("https://evil.com/x.com/coach/status/1", .twitter), ("https://x.com.evil.com/coach/status/1", .twitter),
    ("https://x.com/coach/status/1/photo/1", .twitter), ("https://instagram.com/p/abc", .twitter), ("", .twitter),
    ("https://x.com/coach/status/١", .twitter), ("https://x.com//coach/status/1", .twitter),
    ("https://instagram.com/john.ig", .instagram), ("https://x.com/coach/status/1", .instagram),
    ("https://instagram.com/a/b/p/AbC", .instagram),
  ]) func refusesOtherAddresses(text: String, platform: SocialPlatform) {
    let error = #expect(throws: RecruitingError.self) { try PostAddress(text, on: platform) }
    #expect(error?.id == .postAddress)
  }

  /// The account of a post can be renamed.
  @Test func onePlatformAndIDAreOnePost() throws {
    let post = try PostAddress("https://x.com/Coach/status/12")
    #expect(try post == PostAddress("https://x.com/renamed/status/12") && post.key == "twitter.com/12")
    #expect(try Set([post, PostAddress("https://x.com/i/web/status/12")]).count == 1)
    #expect(try post != PostAddress("https://x.com/coach/status/13"))
    let picture = try PostAddress("https://instagram.com/p/12")
    #expect(post != picture && picture.key == "instagram.com/12")
    #expect(try PostAddress("https://instagram.com/p/AbC") != PostAddress("https://instagram.com/p/abc"))
  }

  @Test func anAddressOnXContainsTheAuthor() throws {
    #expect(try PostAddress("https://x.com/Coach/status/12").author == SocialHandle("coach", on: .twitter))
    #expect(try PostAddress("https://x.com/i/web/status/12").author == nil)
    #expect(try PostAddress("https://instagram.com/p/AbC").author == nil)
  }
}
