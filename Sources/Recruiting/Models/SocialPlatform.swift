/// A platform on which coaches post.
public enum SocialPlatform: String, Sendable, Codable, CaseIterable {
  case twitter
  case instagram

  public var label: String {
    switch self {
    case .twitter: "Twitter/X"
    case .instagram: "Instagram"
    }
  }
}
