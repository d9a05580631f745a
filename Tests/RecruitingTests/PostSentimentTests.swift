import Recruiting
import Testing

@Suite struct PostSentimentTests {
  @Test func storedNamesAreThoseOfTheDatabase() {
    #expect(PostSentiment.allCases.map(\.rawValue) == ["very_positive", "positive", "neutral", "negative"])
  }
}
