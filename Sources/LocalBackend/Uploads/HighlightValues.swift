import ClipModel
import Foundation
import GRDB

extension HighlightDraft {
  /// The row that becomes of the draft when its asset is ready; of a post of several, of its first clip's draft.
  /// - Parameter playbackIDs: of all clips, in order.
  func values(author: String, assetID: String, playbackIDs: [String]) -> [String: DatabaseValue] {
    let playbackID = playbackIDs.first ?? ""
    // As the app does it: several rallies have no index of one. Relative, as the thumbnail.
    let videos = partCount > 1 ? Self.jsonText(playbackIDs.map { "/stream/\($0).m3u8" }) : nil
    return [
      "id": highlightID.uuidString.lowercased().databaseValue, "author_id": author.databaseValue,
      "mux_playback_id": playbackID.databaseValue, "mux_asset_id": assetID.databaseValue,
      // Relative: the port may be another one tomorrow.
      "thumbnail_url": "/image/\(playbackID)/thumbnail.jpg?time=2".databaseValue,
      "caption": caption.databaseValue,
      "tags": Self.jsonText(tags).databaseValue, "video_urls": videos.databaseValue,
      "duration": duration.databaseValue, "confidence": confidence.databaseValue, "quality": quality.databaseValue,
      "detection_count": detectionCount.databaseValue, "privacy_level": privacy.rawValue.databaseValue,
      "hide_likes": (hideLikes ? 1 : 0).databaseValue,
      "local_video_id": (localVideoID?.uuidString.lowercased()).databaseValue,
      "local_rally_index": (partCount > 1 ? nil : localRallyIndex).databaseValue,
    ]
  }

  private static func jsonText(_ texts: [String]) -> String {
    "[" + texts.map(JSONValue.quoted).joined(separator: ",") + "]"
  }
}

/// Text of a date as PostgreSQL's JSON has it: microseconds and zone, so that order by text is order by time.
func timestampText(_ date: Date) -> String {
  let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
  let seconds = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
  let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
  return seconds.formatted(.iso8601).dropLast() + "." + fraction + "+00:00"
}
