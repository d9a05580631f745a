public import ClipModel
public import Foundation

/// A highlight and its complete row, including columns that bsc doesn't use.
public struct HighlightRow: Sendable {
  /// The highlight, limited to the columns that bsc uses.
  public var highlight: Highlight
  /// The row as a JSON object with sorted keys.
  public var json: Data
  /// The confidence of the rally detection, from 0 to 1; 0 if the row has no value.
  public var confidence: Double
  /// The rally's quality score, from 0 to 1; 0 if the row has no value.
  public var quality: Double
  /// The number of ball detections; 0 if the row has no value.
  public var detectionCount: Int

  /// Creates a row from its JSON object.
  /// - Throws: an error if the object isn't a valid highlight row.
  init(_ object: [String: Any]) throws {
    json = try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    highlight = try JSONDecoder().decode(Highlight.self, from: json)
    // The app writes the `rally_metadata` object, whereas bsc writes separate columns.
    let facts = object["rally_metadata"] as? [String: Any] ?? [:]
    func number(_ name: String) -> Double { object[name] as? Double ?? facts[name] as? Double ?? 0 }
    confidence = number("confidence")
    quality = number("quality")
    detectionCount = Int(exactly: number("detection_count").rounded()) ?? 0
  }
}
