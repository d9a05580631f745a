import ClipModel
import Foundation

/// The JSON that all commands write.
package enum JSONText {
  /// One object on one line, with sorted keys. Control characters are escaped.
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
    // In UTF-8, C1 control characters start with C2.
    guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return text + "\n" }
    return text.escapingScalars { (0x7F...0x9F).contains($0.value) ? String(format: "\\u%04x", $0.value) : nil } + "\n"
  }
}
