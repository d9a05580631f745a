/// The limits of the social layer, which the database enforces, too. Texts are limited in user-perceived characters, each
/// of which can have 32 bytes.
public enum SocialLimits {
  /// The maximum length of a comment.
  public static let commentLength = 500
  /// The maximum length of a bio.
  public static let bioLength = 160
  /// The maximum length of a display name.
  public static let displayNameLength = 50
  /// The maximum length of a team name.
  public static let teamNameLength = 80
  /// The maximum length of a report's description.
  public static let reportDescriptionLength = 1000
  /// The maximum size of a picture in bytes.
  public static let avatarByteCount = 1 << 20
  /// The maximum number of rows in a page.
  public static let pageSize = 100
}
