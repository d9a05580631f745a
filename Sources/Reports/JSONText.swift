import ClipModel
import Foundation

/// Encodes the JSON output of all commands.
package enum JSONText {
  /// Encodes a value as a single-line JSON object with sorted keys. Control characters are escaped.
  package static func encodeLine(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    if let key = Explanation.adviceKey {
      encoder.userInfo[key] = Advice.nextStep(for:) as @Sendable (Explanation) -> String?
    }
    if let key = Finding.adviceKey {
      encoder.userInfo[key] = { FindingAdvice.nextStep(for: $0) } as @Sendable (Finding) -> String?
    }
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let bytes = try encoder.encode(value)
    let text = String(decoding: bytes, as: UTF8.self)
    // In UTF-8, C1 control characters start with the byte C2.
    guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return text + "\n" }
    return text.escapingScalars { (0x7F...0x9F).contains($0.value) ? String(format: "\\u%04x", $0.value) : nil } + "\n"
  }
}
