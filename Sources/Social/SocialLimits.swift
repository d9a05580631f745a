/// The limits of the social layer. The database enforces the same values.
public enum SocialLimits {
  /// The maximum length of a comment, in characters.
  public static let commentLength = 500
  /// The maximum length of a bio, in characters.
  public static let bioLength = 160
}
