public import Foundation

/// A row in the backend's `highlights` table, limited to the columns that bsc needs.
public struct Highlight: Codable, Equatable, Sendable {
  /// The highlight ID, which the client generates before the upload.
  public var id: UUID
  /// The author's account ID, as formatted by the backend.
  public var authorID: String
  /// The video's public playback ID in Mux; `nil` if the video needs a token, because the highlight isn't public.
  public var muxPlaybackID: String?
  /// The backend's ID of the video; `nil` if the row has no asset ID.
  public var muxAssetID: String?
  /// The thumbnail URL, absolute or relative to the backend's base URL.
  public var thumbnailURL: String?
  /// The caption, including hashtags; `nil` if there is none.
  public var caption: String?
  /// The caption's hashtags in lowercase, without the `#`.
  public var tags: [String] = []
  /// The duration in seconds; `nil` if the row has no duration.
  public var duration: Double?
  /// Who can see the highlight.
  public var privacy = PrivacyLevel.everyone
  /// Whether the number of likes is hidden from other users.
  public var hideLikes = false
  /// The app's ID for the source video; `nil` if the clip has no metadata.
  public var localVideoID: UUID?
  /// The rally's zero-based index in the source video's `rallySegments`; `nil` if the clip has no metadata.
  public var localRallyIndex: Int?
  /// The URLs of all videos, in order, if the post has several clips. The first one is that of `muxPlaybackID`. URLs
  /// are absolute or relative to the backend's base URL.
  public var videoURLs: [String]?
  /// The creation time in ISO 8601 format with a time zone.
  public var createdAt: String

  public init(id: UUID, authorID: String, muxPlaybackID: String?, createdAt: String) {
    self.id = id
    self.authorID = authorID
    self.muxPlaybackID = muxPlaybackID
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
