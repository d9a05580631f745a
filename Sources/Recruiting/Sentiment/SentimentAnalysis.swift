/// The sentiment of posts.
public enum SentimentAnalysis {
  /// The sentiment of a post in English with at least one rated word, or `nil`.
  /// - Parameters:
  ///   - text: the content of the post.
  ///   - language: the language as the platform reports it, if it does.
  public static func sentiment(of text: String, language: String? = nil) -> PostSentiment? {
    guard PostLanguage.isEnglish(text, code: language) else { return nil }
    return VaderScore(text).sentiment
  }
}
