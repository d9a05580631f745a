import Foundation

/// Writes sidecars for tests. They are valid unless a test changes them.
struct RallySidecar {
  struct Segment {
    var id = UUID().uuidString
    var start = "2.0"
    var end = "9.5"
    var confidence = "0.71"
    var quality = "0.66"
    var count = "21"
    var length = "0.5"

    var text: String {
      """
      {"id": "\(id)", "startTime": \(start), "endTime": \(end), "confidence": \(confidence), "quality": \(quality), \
      "detectionCount": \(count), "averageTrajectoryLength": \(length)}
      """
    }
  }

  var id = "\"01DFACE0-1111-4222-8333-444455556666\""
  var videoID = "\"9C1D7E20-AB12-4F34-8C56-7890ABCDEF12\""
  var date = "\"2025-11-29T09:05:00Z\""
  var segments = [Segment()]
  /// More members of the object, each with a leading comma.
  var more = ""

  var text: String {
    """
    {
      "id": \(id), "videoId": \(videoID), "processingDate": \(date),
      "rallySegments": [\(segments.map(\.text).joined(separator: ", "))]\(more)
    }
    """
  }

  var bytes: [UInt8] { Array(text.utf8) }
}
