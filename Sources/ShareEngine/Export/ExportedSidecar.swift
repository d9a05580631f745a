import ClipModel
import Foundation
import Highlights

/// The metadata of a clip that is its rally, as the app writes it, with what bsc needs to share it again.
struct ExportedSidecar {
  private let highlight: Highlight
  private let videoID: UUID
  private let index: Int
  private let seconds: Double
  private let confidence: Double
  private let quality: Double
  private let detectionCount: Int
  private let post: PostPlace?

  /// Of each clip of a highlight, in order; `nil` when nothing says which rally it is: metadata is not made up.
  /// - Parameter drafts: what the clips were uploaded with. Of several, only they know.
  static func all(of row: HighlightRow, clipCount: Int, drafts: [HighlightDraft]) -> [ExportedSidecar?] {
    if clipCount == 1 { return [ExportedSidecar(row)] }
    guard drafts.map(\.part) == Array(0..<clipCount) else { return Array(repeating: nil, count: clipCount) }
    return drafts.map { ExportedSidecar(row.highlight, $0, count: clipCount) }
  }

  private init?(_ row: HighlightRow) {
    guard let videoID = row.highlight.localVideoID, let index = row.highlight.localRallyIndex,
      let seconds = row.highlight.duration
    else { return nil }
    highlight = row.highlight
    (self.videoID, self.index, self.seconds) = (videoID, index, seconds)
    (confidence, quality, detectionCount) = (row.confidence, row.quality, row.detectionCount)
    post = nil
  }

  private init?(_ highlight: Highlight, _ draft: HighlightDraft, count: Int) {
    guard let videoID = draft.localVideoID, let index = draft.localRallyIndex else { return nil }
    self.highlight = highlight
    (self.videoID, self.index, seconds) = (videoID, index, draft.duration)
    (confidence, quality, detectionCount) = (draft.confidence ?? 0, draft.quality ?? 0, draft.detectionCount ?? 0)
    post = PostPlace(part: draft.part, count: count)
  }

  /// - Parameter clipSHA256: of the clip beside it: another clip there is another highlight.
  func json(clipSHA256: String) -> Data? {
    let id = highlight.id.uuidString
    let date = ISODate.parse(highlight.createdAt) ?? Date(timeIntervalSince1970: 0)
    var note: [String: Any] = [
      "mode": "clip", "sourceRallyIndex": index, "highlightId": id, "privacy": highlight.privacy.rawValue,
      "hideLikes": highlight.hideLikes, "clipSHA256": clipSHA256,
    ]
    if let caption = highlight.caption { note["caption"] = caption }
    if let post { (note["part"], note["partCount"]) = (post.part, post.count) }
    let segment: [String: Any] = [
      "id": id, "startTime": 0, "endTime": seconds, "confidence": confidence, "quality": quality,
      "detectionCount": detectionCount, "averageTrajectoryLength": 0,
    ]
    let document: [String: Any] = [
      "id": id, "videoId": videoID.uuidString, "processingVersion": "1.0",
      "processingDate": date.formatted(.iso8601), "rallySegments": [segment], "bsc": note,
    ]
    return try? JSONSerialization.data(
      withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
  }
}
