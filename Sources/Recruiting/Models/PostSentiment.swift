/// The sentiment of a post or an interaction.
public enum PostSentiment: String, Sendable, Codable, CaseIterable {
  /// A compound score of 0.6 or more.
  case veryPositive = "very_positive"
  /// A compound score of 0.05 or more.
  case positive
  /// A compound score between -0.05 and 0.05.
  case neutral
  /// A compound score of -0.05 or less.
  case negative

  /// The name on pages and in exports.
  public var label: String {
    switch self {
    case .veryPositive: "Very Positive"
    case .positive: "Positive"
    case .neutral: "Neutral"
    case .negative: "Negative"
    }
  }

  /// The emoji that filters and charts of posts show.
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
