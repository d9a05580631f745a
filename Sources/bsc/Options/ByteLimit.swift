import ClipModel
import Foundation
import Reports

/// A size on the command line, such as `25MB`.
struct ByteLimit: Equatable {
  var byteCount: Int64

  /// - Throws: `ArgumentFault`; also for a small number without a unit, which is most likely a mistake.
  static func read(_ text: String) throws -> ByteLimit {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let number = trimmed.prefix { $0.isNumber || $0 == "." }
    let unit = trimmed.dropFirst(number.count).trimmingCharacters(in: .whitespaces)
    if let count = ByteCount.parse(text), !unit.isEmpty || count >= 1000 { return ByteLimit(byteCount: count) }
    guard let value = Double(number), value > 0 else {
      throw ArgumentFault(value: text, why: "it is not a size", next: "enter a number and a unit: 25MB, 800kB or 1GiB")
    }
    if unit.isEmpty {
      throw ArgumentFault(value: text, why: "it has no unit", next: "did you mean \(number)MB?")
    }
    throw ArgumentFault(
      value: text,
      why: ByteCount.parse("1\(unit)") == nil ? "\"\(unit.onOneLine)\" is not a unit of size" : "it is out of range",
      next: "use kB, MB or GB, as in 25MB, or KiB, MiB or GiB")
  }
}
