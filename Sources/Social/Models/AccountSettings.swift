public import ClipModel

/// The account's settings: a row of the table `user_settings`. Accounts without a row have the defaults.
public struct AccountSettings: Codable, Equatable, Sendable {
  /// Whether clients preselect that others may download a new highlight.
  public var allowsDownloads = false
  /// The privacy level that clients preselect for a new highlight.
  public var sharePrivacy = PrivacyLevel.everyone
  /// Whether notifications are sent to the account's devices.
  public var isPushEnabled = true
  /// When the account confirmed who sees its first post, in ISO 8601 format; `nil` until then.
  public var firstPostConfirmedAt: String?

  /// Creates the default settings.
  public init() {}

  enum CodingKeys: String, CodingKey {
    case allowsDownloads = "allow_downloads"
    case sharePrivacy = "share_privacy_level"
    case isPushEnabled = "push_enabled"
    case firstPostConfirmedAt = "first_post_confirmed_at"
  }
}
