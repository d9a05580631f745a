/// The sentiment of a coach's post.
public enum PostSentiment: String, Sendable, Codable, CaseIterable {
  case veryPositive = "very_positive"
  case positive
  case neutral
  case negative
}
