public import ClipModel
public import Foundation

/// A person's profile: a row of the table `profiles`.
public struct Profile: Codable, Equatable, Identifiable, Sendable {
  /// The account ID.
  public var id: UUID
  /// The name that is shown, at most 50 characters.
  public var displayName: String
  /// The unique handle for mentions, without the `@`.
  public var username: String
  /// The URL of the picture; `nil` if there is none.
  public var avatarURL: String?
  /// A text of at most 160 characters; `nil` if there is none.
  public var bio: String?
  /// The team or club; `nil` if there is none.
  public var teamName: String?
  /// The number of followers.
  public var followersCount: Int
  /// The number of followed people.
  public var followingCount: Int
  /// The number of highlights.
  public var highlightsCount: Int
  /// Who can see the profile's highlights.
  public var privacy: PrivacyLevel
  /// The creation time in ISO 8601 format with a time zone.
  public var createdAt: String

  enum CodingKeys: String, CodingKey {
    case id, username, bio
    case displayName = "display_name"
    case avatarURL = "avatar_url"
    case teamName = "team_name"
    case followersCount = "followers_count"
    case followingCount = "following_count"
    case highlightsCount = "highlights_count"
    case privacy = "privacy_level"
    case createdAt = "created_at"
  }
}

/// A change of the signed-in person's profile. Properties that are `nil` stay unchanged.
public struct ProfileChange: Encodable, Equatable, Sendable {
  /// The new display name.
  public var displayName: String?
  /// The new handle.
  public var username: String?
  /// The new bio. An empty text removes the bio.
  public var bio: String?
  /// The new team name. An empty text removes the team.
  public var teamName: String?
  /// The new URL of the picture. An empty text removes the picture.
  public var avatarURL: String?
  /// Who can see the profile's highlights.
  public var privacy: PrivacyLevel?

  /// Creates an empty change.
  public init() {}

  /// Whether the change is empty.
  public var isEmpty: Bool { self == ProfileChange() }

  /// Encodes empty texts as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Profile.CodingKeys.self)
    try container.encodeIfPresent(displayName, forKey: .displayName)
    try container.encodeIfPresent(username, forKey: .username)
    for (text, key) in [(bio, Profile.CodingKeys.bio), (teamName, .teamName), (avatarURL, .avatarURL)] {
      if let text { try container.encode(text.isEmpty ? nil : text, forKey: key) }
    }
    try container.encodeIfPresent(privacy, forKey: .privacy)
  }
}

/// What a person is to the signed-in account.
public enum FollowState: String, Codable, Equatable, Sendable {
  /// The account doesn't follow the person.
  case none
  /// The account has asked to follow the person.
  case requested
  /// The account follows the person.
  case following
}

/// A person's request to follow the signed-in account.
public struct FollowRequest: Codable, Equatable, Identifiable, Sendable {
  /// The request's ID.
  public var id: UUID
  /// The ID of the person who asks.
  public var requesterID: UUID
  /// The person who asks; `nil` if the profile isn't visible.
  public var requester: Profile?
  /// The creation time in ISO 8601 format with a time zone.
  public var createdAt: String

  enum CodingKeys: String, CodingKey {
    case id, requester
    case requesterID = "requester_id"
    case createdAt = "created_at"
  }
}

/// A person in a list whose names can be hidden: a blocked or muted person, or one of a list of follows. The names are `nil`
/// if the account can't see the profile.
public struct HiddenPerson: Codable, Equatable, Identifiable, Sendable {
  /// The account ID.
  public var id: UUID
  /// The person's handle.
  public var username: String?
  /// The person's display name.
  public var displayName: String?
  /// When the person was blocked or muted, or the follow began, in ISO 8601 format with a time zone.
  public var createdAt: String

  enum CodingKeys: String, CodingKey {
    case id, username
    case displayName = "display_name"
    case createdAt = "created_at"
  }
}
