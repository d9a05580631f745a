import Foundation

enum JSONText {
  /// One object on one line, keys sorted. What a terminal would obey is written as an escape.
  static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return text.escapingScalars { (0x7F...0x9F).contains($0.value) ? String(format: "\\u%04x", $0.value) : nil } + "\n"
  }
}
