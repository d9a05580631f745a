import ClipModel
import Foundation

/// JSON as every command writes it.
package enum JSONText {
  /// One object on one line, keys sorted, so that many make JSON lines. What a terminal would obey is written as an
  /// escape.
  package static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    if let key = Explanation.adviceKey {
      encoder.userInfo[key] = Advice.text(for:) as @Sendable (Explanation) -> String?
    }
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let bytes = try encoder.encode(value)
    let text = String(decoding: bytes, as: UTF8.self)
    // C1 controls begin with C2 in UTF-8.
    guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return text + "\n" }
    return text.escapingScalars { (0x7F...0x9F).contains($0.value) ? String(format: "\\u%04x", $0.value) : nil } + "\n"
  }
}
