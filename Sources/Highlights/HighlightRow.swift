public import ClipModel
public import Foundation

/// A highlight with its complete row, including columns that bsc doesn't use.
public struct HighlightRow: Sendable {
  /// The columns that bsc uses.
  public var highlight: Highlight
  /// A JSON object with sorted keys.
  public var json: Data
  /// The rally detector's confidence, 0 to 1; 0 if the row has none.
  public var confidence: Double
  /// The rally's quality, 0 to 1; 0 if the row has none.
  public var quality: Double
  /// The number of ball detections; 0 if the row has none.
  public var detectionCount: Int

  /// - Throws: an error if the object isn't the row of a highlight.
  init(_ object: [String: Any]) throws {
    json = try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    highlight = try JSONDecoder().decode(Highlight.self, from: json)
    // The app writes the object, and bsc writes the columns.
    let facts = object["rally_metadata"] as? [String: Any] ?? [:]
    func number(_ name: String) -> Double { object[name] as? Double ?? facts[name] as? Double ?? 0 }
    confidence = number("confidence")
    quality = number("quality")
    detectionCount = Int(exactly: number("detection_count").rounded()) ?? 0
  }
}
