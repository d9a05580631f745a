public import Foundation

/// A row of the backend's `highlights` table, with the columns that bsc needs.
public struct Highlight: Codable, Equatable, Sendable {
  /// The ID that the client generated before the upload.
  public var id: UUID
  /// The account ID of the author, as formatted by the backend.
  public var authorID: String
  /// The public ID of the video in Mux. On the local backend, the path of its stream.
  public var muxPlaybackID: String
  /// The backend's ID of the video; `nil` if the row does not contain it.
  public var muxAssetID: String?
  /// Absolute, or relative to the backend's base URL.
  public var thumbnailURL: String?
  /// The caption with its hashtags; `nil` if there is none.
  public var caption: String?
  /// The caption's hashtags in lowercase, without the `#`.
  public var tags: [String] = []
  /// The duration in seconds; `nil` if the row does not contain it.
  public var duration: Double?
  /// Who can see the highlight.
  public var privacy = PrivacyLevel.everyone
  /// Whether the number of likes is hidden from other users.
  public var hideLikes = false
  /// The app's ID of the source video; `nil` if the clip has no metadata.
  public var localVideoID: UUID?
  /// The zero-based index in `rallySegments` of the source video; `nil` if the clip has no metadata.
  public var localRallyIndex: Int?
  /// For a post with several clips, all videos in order; the first one is `muxPlaybackID`. Absolute, or relative to the
  /// backend's base URL.
  public var videoURLs: [String]?
  /// ISO 8601 with a time zone.
  public var createdAt: String

  public init(id: UUID, authorID: String, muxPlaybackID: String, createdAt: String) {
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
