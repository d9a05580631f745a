import ClipModel
import Foundation
import GRDB

/// A row of `highlights`, in the database and, unchanged, as JSON of `/rest/v1/highlights`.
struct HighlightRow: Codable, FetchableRecord, PersistableRecord, Sendable, Equatable {
  static let databaseTableName = "highlights"

  /// The built-in local user, author of everything here until sign-up exists.
  static let localAuthorID = "10ca1000-0000-4000-8000-000000000001"

  /// The app's nested copy of the rally's facts: without it the app cannot decode the row.
  struct RallyMetadata: Codable, Sendable, Equatable {
    var duration: Double
    var confidence: Double?
    var quality: Double?
    var detectionCount: Int?

    enum CodingKeys: String, CodingKey {
      case duration, confidence, quality
      case detectionCount = "detection_count"
    }
  }

  var id: String
  var authorID = HighlightRow.localAuthorID
  var muxPlaybackID: String
  var muxAssetID: String?
  var thumbnailURL: String?
  var caption: String?
  var tags: [String]
  var duration: Double?
  var confidence: Double?
  var quality: Double?
  var detectionCount: Int?
  var likesCount = 0
  var commentsCount = 0
  var privacy: String
  var hideLikes: Bool
  var localVideoID: String?
  var localRallyIndex: Int?
  var rallyMetadata: RallyMetadata
  var createdAt: String

  init(draft: HighlightDraft, assetID: String, playbackID: String, createdAt: String) {
    id = draft.highlightID.uuidString.lowercased()
    muxPlaybackID = playbackID
    muxAssetID = assetID
    thumbnailURL = "/image/\(playbackID)/thumbnail.jpg"
    caption = draft.caption
    tags = draft.tags
    duration = draft.duration
    confidence = draft.confidence
    quality = draft.quality
    detectionCount = draft.detectionCount
    privacy = draft.privacy.rawValue
    hideLikes = draft.hideLikes
    localVideoID = draft.localVideoID?.uuidString.lowercased()
    localRallyIndex = draft.localRallyIndex
    rallyMetadata = RallyMetadata(
      duration: draft.duration, confidence: draft.confidence, quality: draft.quality,
      detectionCount: draft.detectionCount)
    self.createdAt = createdAt
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, caption, tags, duration, confidence, quality
    case authorID = "author_id"
    case muxPlaybackID = "mux_playback_id"
    case muxAssetID = "mux_asset_id"
    case thumbnailURL = "thumbnail_url"
    case detectionCount = "detection_count"
    case likesCount = "likes_count"
    case commentsCount = "comments_count"
    case privacy = "privacy_level"
    case hideLikes = "hide_likes"
    case localVideoID = "local_video_id"
    case localRallyIndex = "local_rally_index"
    case rallyMetadata = "rally_metadata"
    case createdAt = "created_at"
  }

  /// Writes absent values as null, as PostgREST does; the synthesised code would leave the keys out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(authorID, forKey: .authorID)
    try container.encode(muxPlaybackID, forKey: .muxPlaybackID)
    try container.encode(muxAssetID, forKey: .muxAssetID)
    try container.encode(thumbnailURL, forKey: .thumbnailURL)
    try container.encode(caption, forKey: .caption)
    try container.encode(tags, forKey: .tags)
    try container.encode(duration, forKey: .duration)
    try container.encode(confidence, forKey: .confidence)
    try container.encode(quality, forKey: .quality)
    try container.encode(detectionCount, forKey: .detectionCount)
    try container.encode(likesCount, forKey: .likesCount)
    try container.encode(commentsCount, forKey: .commentsCount)
    try container.encode(privacy, forKey: .privacy)
    try container.encode(hideLikes, forKey: .hideLikes)
    try container.encode(localVideoID, forKey: .localVideoID)
    try container.encode(localRallyIndex, forKey: .localRallyIndex)
    try container.encode(rallyMetadata, forKey: .rallyMetadata)
    try container.encode(createdAt, forKey: .createdAt)
  }
}

/// Text of a date as PostgreSQL's JSON has it: microseconds and zone, so that order by text is order by time.
func timestampText(_ date: Date) -> String {
  let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
  let seconds = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
  let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
  return seconds.formatted(.iso8601).dropLast() + "." + fraction + "+00:00"
}
