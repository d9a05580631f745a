import Social
import Testing

@Suite struct SocialLimitsTests {
  @Test func bioIsShorterThanComment() {
    #expect(SocialLimits.bioLength < SocialLimits.commentLength)
  }
}
