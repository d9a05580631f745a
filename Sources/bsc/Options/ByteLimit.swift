import ClipModel
import Foundation
import Reports

/// `25MB` on the command line.
struct ByteLimit: Equatable {
  var byteCount: Int64

  /// The same for another command of ours.
  var argument: String { "\(byteCount)B" }

  /// - Throws: `ArgumentFault`; also for a small number alone, which nobody means as bytes.
  static func read(_ text: String) throws -> ByteLimit {
    let number = text.trimmingCharacters(in: .whitespaces).prefix { $0.isNumber || $0 == "." }
    let unit = text.trimmingCharacters(in: .whitespaces).dropFirst(number.count).trimmingCharacters(in: .whitespaces)
    if let count = ByteCount.parse(text), !unit.isEmpty || count >= 1000 { return ByteLimit(byteCount: count) }
    guard let value = Double(number), value > 0 else {
      throw ArgumentFault(value: text, why: "it is no size", next: "give a number and its unit: 25MB, 800kB or 1GiB")
    }
    if unit.isEmpty {
      throw ArgumentFault(value: text, why: "it has no unit", next: "did you mean \(number)MB?")
    }
    throw ArgumentFault(
      value: text,
      why: ByteCount.parse("1\(unit)") == nil ? "\"\(unit.onOneLine)\" is no unit of sizes" : "it is out of range",
      next: "give kB, MB or GB, as in 25MB, or KiB, MiB or GiB")
  }
}
