import ClipModel
import Foundation
import GRDB

/// A row of `highlights`, as the pages show it. What clients read and write goes through `RowStore`.
struct HighlightRow: Codable, FetchableRecord, Sendable, Equatable {
  var id: String
  var authorID: String
  var muxPlaybackID: String
  var muxAssetID: String?
  var thumbnailURL: String?
  var caption: String?
  var tags: [String]
  var duration: Double?
  var privacy: String
  var createdAt: String

  enum CodingKeys: String, CodingKey {
    case id, caption, tags, duration
    case authorID = "author_id"
    case muxPlaybackID = "mux_playback_id"
    case muxAssetID = "mux_asset_id"
    case thumbnailURL = "thumbnail_url"
    case privacy = "privacy_level"
    case createdAt = "created_at"
  }
}

extension HighlightDraft {
  /// The row that becomes of the draft when its asset is ready.
  func values(author: String, assetID: String, playbackID: String) -> [String: DatabaseValue] {
    [
      "id": highlightID.uuidString.lowercased().databaseValue, "author_id": author.databaseValue,
      "mux_playback_id": playbackID.databaseValue, "mux_asset_id": assetID.databaseValue,
      // Relative: the port may be another one tomorrow.
      "thumbnail_url": "/image/\(playbackID)/thumbnail.jpg?time=2".databaseValue,
      "caption": caption.databaseValue,
      "tags": ("[" + tags.map(JSONValue.quoted).joined(separator: ",") + "]").databaseValue,
      "duration": duration.databaseValue, "confidence": confidence.databaseValue, "quality": quality.databaseValue,
      "detection_count": detectionCount.databaseValue, "privacy_level": privacy.rawValue.databaseValue,
      "hide_likes": (hideLikes ? 1 : 0).databaseValue,
      "local_video_id": (localVideoID?.uuidString.lowercased()).databaseValue,
      "local_rally_index": localRallyIndex.databaseValue,
    ]
  }
}

/// Text of a date as PostgreSQL's JSON has it: microseconds and zone, so that order by text is order by time.
func timestampText(_ date: Date) -> String {
  let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
  let seconds = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
  let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
  return seconds.formatted(.iso8601).dropLast() + "." + fraction + "+00:00"
}
