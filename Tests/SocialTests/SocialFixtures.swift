import ClipModel
import Foundation

@testable import Social

/// Rows as the backend returns them.
enum SocialFixtures {
  static func item(_ id: UUID, likes: Int = 0, comments: Int = 0, isLiked: Bool = false) throws -> FeedItem {
    try JSONDecoder().decode(
      FeedItem.self, from: Data(itemJSON(id, likes: likes, comments: comments, isLiked: isLiked).utf8))
  }

  static func itemJSON(_ id: UUID, likes: Int = 0, comments: Int = 0, isLiked: Bool = false, more: String = "")
    -> String
  {
    """
    {"id":"\(id.uuidString.lowercased())","author_id":"\(id.uuidString.lowercased())","mux_playback_id":"pb1",
    "tags":["ace"],"privacy_level":"public","hide_likes":false,"likes_count":\(likes),"comments_count":\(comments),
    "is_liked_by_me":\(isLiked),"created_at":"2026-11-24T12:00:00.123456+00:00"\(more)}
    """
  }

  static func profile(_ id: UUID, followers: Int = 0, privacy: PrivacyLevel = .everyone) throws -> Profile {
    try JSONDecoder().decode(Profile.self, from: Data(profileJSON(id, followers: followers, privacy: privacy).utf8))
  }

  static func profileJSON(_ id: UUID, followers: Int = 0, privacy: PrivacyLevel = .everyone) -> String {
    """
    {"id":"\(id.uuidString.lowercased())","display_name":"Ana","username":"ana","avatar_url":null,"bio":null,
    "team_name":"Beach","followers_count":\(followers),"following_count":0,"highlights_count":0,
    "privacy_level":"\(privacy.rawValue)","created_at":"2026-11-24T12:00:00+00:00"}
    """
  }
}
