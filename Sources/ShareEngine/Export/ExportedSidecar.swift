import ClipModel
import Foundation
import Highlights

/// An exported clip's rally metadata in the app's format, including the options for sharing the clip again.
struct ExportedSidecar {
  private let highlight: Highlight
  private let videoID: UUID
  private let index: Int
  private let draft: HighlightDraft

  /// Creates the metadata for each clip of a highlight, in order. The value is `nil` for clips whose rally is unknown.
  /// - Parameter drafts: the drafts of the clips. Only the drafts contain the rallies of a post.
  static func makeSidecars(for row: HighlightRow, clipCount: Int, drafts: [HighlightDraft]) -> [ExportedSidecar?] {
    let drafts = clipCount > 1 ? drafts : HighlightDraft(row).map { [$0] } ?? []
    guard drafts.map(\.part) == Array(0..<clipCount) else { return Array(repeating: nil, count: clipCount) }
    return drafts.map { draft in
      guard let videoID = draft.localVideoID, let index = draft.localRallyIndex else { return nil }
      return ExportedSidecar(highlight: row.highlight, videoID: videoID, index: index, draft: draft)
    }
  }

  /// - Parameter clipSHA256: the SHA-256 of the exported clip. If a different clip is at the same path, it is not
  ///   treated as an export of this highlight.
  func encode(clipSHA256: String) -> Data? {
    let id = highlight.id.uuidString
    let date = Self.parseDate(highlight.createdAt) ?? Date(timeIntervalSince1970: 0)
    var options: [String: Any] = [
      "mode": "clip", "sourceRallyIndex": index, "highlightId": id, "privacy": highlight.privacy.rawValue,
      "hideLikes": highlight.hideLikes, "clipSHA256": clipSHA256,
    ]
    options["caption"] = highlight.caption
    if draft.partCount > 1 { (options["part"], options["partCount"]) = (draft.part, draft.partCount) }
    let segment: [String: Any] = [
      "id": id, "startTime": 0, "endTime": draft.duration, "confidence": draft.confidence ?? 0,
      "quality": draft.quality ?? 0, "detectionCount": draft.detectionCount ?? 0, "averageTrajectoryLength": 0,
    ]
    let document: [String: Any] = [
      "id": id, "videoId": videoID.uuidString, "processingVersion": "1.0",
      "processingDate": date.formatted(.iso8601), "rallySegments": [segment], "bsc": options,
    ]
    return try? JSONSerialization.data(
      withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
  }

  /// Parses an ISO 8601 date, with or without fractional seconds.
  private static func parseDate(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}

extension HighlightDraft {
  /// Creates the draft of a highlight with one clip. Returns `nil` if the row has no duration.
  fileprivate init?(_ row: HighlightRow) {
    guard let duration = row.highlight.duration else { return nil }
    self.init(highlightID: row.highlight.id, duration: duration)
    (localVideoID, localRallyIndex) = (row.highlight.localVideoID, row.highlight.localRallyIndex)
    (confidence, quality, detectionCount) = (row.confidence, row.quality, row.detectionCount)
  }
}
