/// The sentiment of a post or an interaction.
public enum PostSentiment: String, Sendable, Codable, CaseIterable {
  case veryPositive = "very_positive"
  case positive
  case neutral
  case negative

  public var label: String {
    switch self {
    case .veryPositive: "Very Positive"
    case .positive: "Positive"
    case .neutral: "Neutral"
    case .negative: "Negative"
    }
  }

  public var emoji: String {
    switch self {
    case .veryPositive: "🔥"
    case .positive: "👍"
    case .neutral: "😐"
    case .negative: "👎"
    }
  }

  /// As filters and charts of posts show it: `🔥 Very Positive`.
  public var labelWithEmoji: String { "\(emoji) \(label)" }
}
