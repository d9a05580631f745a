/// A platform on which coaches post.
public enum SocialPlatform: String, Sendable, Codable, CaseIterable {
  /// X, which was called Twitter.
  case twitter
  case instagram

  /// The name on pages and in exports.
  public var label: String {
    switch self {
    case .twitter: "Twitter/X"
    case .instagram: "Instagram"
    }
  }
}
