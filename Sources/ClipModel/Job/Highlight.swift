public import Foundation

/// A row of the backend's `highlights` table, as far as bsc needs it.
public struct Highlight: Codable, Equatable, Sendable {
  /// The id that the client made before the upload.
  public var id: UUID
  /// Whose it is: the id of an account as the backend writes it.
  public var authorID: String
  /// Mux's public id of the video; on the local backend the path of its stream.
  public var muxPlaybackID: String
  /// The id by which the backend keeps the video; `nil` where the row does not say.
  public var muxAssetID: String?
  /// Absolute, or relative to the backend's base URL.
  public var thumbnailURL: String?
  /// As typed, hashtags inside; `nil` without one.
  public var caption: String?
  /// The caption's hashtags: lower-cased, without the `#`.
  public var tags: [String] = []
  /// Seconds; `nil` where the row does not say.
  public var duration: Double?
  /// Who may see it.
  public var privacy = PrivacyLevel.everyone
  /// Others do not see how many like it.
  public var hideLikes = false
  /// The app's id of the original video; `nil` for a clip without metadata.
  public var localVideoID: UUID?
  /// Zero-based index in `rallySegments` of the original video; `nil` for a clip without metadata.
  public var localRallyIndex: Int?
  /// Of a post of several rallies: all videos in order, the first one being `muxPlaybackID`. Absolute, or relative to the
  /// backend's base URL.
  public var videoURLs: [String]?
  /// ISO 8601 with zone.
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
