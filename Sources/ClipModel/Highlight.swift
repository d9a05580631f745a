public import Foundation

/// A row of the backend's `highlights` table, as far as bsc needs it.
public struct Highlight: Codable, Equatable, Sendable {
  public var id: UUID
  public var authorID: String
  public var muxPlaybackID: String
  public var muxAssetID: String?
  /// Absolute, or relative to the backend's base URL.
  public var thumbnailURL: String?
  public var caption: String?
  public var tags: [String]
  public var duration: Double?
  public var privacy: Privacy
  public var hideLikes: Bool
  public var localVideoID: UUID?
  public var localRallyIndex: Int?
  /// Of a post of several rallies: all videos in order, the first one being `muxPlaybackID`. Absolute, or relative to the
  /// backend's base URL.
  public var videoURLs: [String]?
  /// ISO 8601 with zone.
  public var createdAt: String

  public init(
    id: UUID, authorID: String, muxPlaybackID: String, muxAssetID: String? = nil, thumbnailURL: String? = nil,
    caption: String? = nil, tags: [String] = [], duration: Double? = nil, privacy: Privacy = .everyone,
    hideLikes: Bool = false, localVideoID: UUID? = nil, localRallyIndex: Int? = nil, videoURLs: [String]? = nil,
    createdAt: String
  ) {
    self.id = id
    self.authorID = authorID
    self.muxPlaybackID = muxPlaybackID
    self.muxAssetID = muxAssetID
    self.thumbnailURL = thumbnailURL
    self.caption = caption
    self.tags = tags
    self.duration = duration
    self.privacy = privacy
    self.hideLikes = hideLikes
    self.localVideoID = localVideoID
    self.localRallyIndex = localRallyIndex
    self.videoURLs = videoURLs
    self.createdAt = createdAt
  }

  enum CodingKeys: String, CodingKey {
    case id, caption, tags, duration
    case authorID = "author_id"
    case muxPlaybackID = "mux_playback_id"
    case muxAssetID = "mux_asset_id"
    case thumbnailURL = "thumbnail_url"
    case privacy = "privacy_level"
    case hideLikes = "hide_likes"
    case localVideoID = "local_video_id"
    case localRallyIndex = "local_rally_index"
    case videoURLs = "video_urls"
    case createdAt = "created_at"
  }
}
