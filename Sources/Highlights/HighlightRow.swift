public import ClipModel
public import Foundation

/// A highlight with its whole row: the backend may have columns that bsc does not know.
public struct HighlightRow: Sendable {
  /// What bsc knows of it.
  public var highlight: Highlight
  /// A JSON object, keys sorted.
  public var json: Data
  /// 0 to 1, and samples of the ball's flight; 0 where the row does not say.
  public var confidence: Double
  /// 0 to 1; 0 where the row does not say.
  public var quality: Double
  /// Samples of the ball's flight; 0 where the row does not say.
  public var detectionCount: Int

  /// `nil` when it is no row of a highlight.
  init?(_ object: [String: Any]) {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let json = try? JSONSerialization.data(withJSONObject: object, options: options),
      let highlight = try? JSONDecoder().decode(Highlight.self, from: json)
    else { return nil }
    self.highlight = highlight
    self.json = json
    // The app writes the object, bsc the columns.
    let facts = object["rally_metadata"] as? [String: Any] ?? [:]
    func number(_ name: String) -> Double { (object[name] ?? facts[name]) as? Double ?? facts[name] as? Double ?? 0 }
    confidence = number("confidence")
    quality = number("quality")
    detectionCount = Int(exactly: number("detection_count").rounded()) ?? 0
  }
}

/// The ids that begin like a text: from the lowest to the highest.
struct IdentifierRange {
  let lowest: UUID
  let highest: UUID

  /// `nil` for a text that no id begins with.
  init?(prefix: String) {
    let digits = prefix.lowercased().filter { $0 != "-" }
    guard digits.count <= 32, digits.allSatisfy(\.isHexDigit) else { return nil }
    func identifier(filledWith digit: Character) -> UUID? {
      var text = Array(digits + String(repeating: digit, count: 32 - digits.count))
      for place in [20, 16, 12, 8] { text.insert("-", at: place) }
      return UUID(uuidString: String(text))
    }
    guard let lowest = identifier(filledWith: "0"), let highest = identifier(filledWith: "f") else { return nil }
    (self.lowest, self.highest) = (lowest, highest)
  }
}
