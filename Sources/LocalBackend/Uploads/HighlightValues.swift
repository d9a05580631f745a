import ClipModel
import Foundation
import GRDB

extension HighlightDraft {
  /// Returns the values of the highlight's row after its assets are ready. A post's row is created from its first
  /// clip's draft.
  /// - Parameter playbackIDs: the playback IDs of all clips, in order.
  func highlightValues(author: String, assetID: String, playbackIDs: [String]) -> [String: DatabaseValue] {
    let playbackID = playbackIDs.first ?? ""
    // The URLs are relative, like the thumbnail URL. As in the app, a post with several rallies has no rally index.
    let videos = partCount > 1 ? Self.encodeStrings(playbackIDs.map { "/stream/\($0).m3u8" }) : nil
    let values: [String: (any DatabaseValueConvertible)?] = [
      "id": highlightID.uuidString.lowercased(), "author_id": author,
      "mux_playback_id": playbackID, "mux_asset_id": assetID,
      // The URL is relative, because the server's port can change.
      "thumbnail_url": "/image/\(playbackID)/thumbnail.jpg?time=2",
      "caption": caption,
      "tags": Self.encodeStrings(tags), "video_urls": videos,
      "duration": duration, "confidence": confidence, "quality": quality,
      "detection_count": detectionCount, "privacy_level": privacy.rawValue,
      "hide_likes": hideLikes ? 1 : 0,
      "local_video_id": localVideoID?.uuidString.lowercased(),
      "local_rally_index": partCount > 1 ? nil : localRallyIndex,
    ]
    return values.mapValues { $0?.databaseValue ?? .null }
  }

  private static func encodeStrings(_ texts: [String]) -> String {
    "[" + texts.map(JSONValue.quoted).joined(separator: ",") + "]"
  }
}

/// Formats a date as in PostgreSQL's JSON, with microseconds and a time zone. Sorting these strings sorts the dates
/// chronologically. Dates outside of the years 1 to 9999 become the first or last one in them.
func timestampText(_ date: Date) -> String {
  let seconds = min(max(date.timeIntervalSince1970, -62_135_769_600), 253_402_300_799)
  let microseconds = Int64((seconds * 1_000_000).rounded(.down))
  let fraction = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
  let whole = Date(timeIntervalSince1970: Double((microseconds - fraction) / 1_000_000))
  return whole.formatted(.iso8601).dropLast() + "." + String(fraction + 1_000_000).dropFirst() + "+00:00"
}
