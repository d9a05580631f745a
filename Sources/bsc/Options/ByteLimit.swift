import ClipModel
import Foundation
import Reports

/// A size as entered on the command line, for example `25MB`.
struct ByteLimit: Equatable {
  var byteCount: Int64

  /// - Throws: `ArgumentFault` for an invalid size, and for a small number without a unit, which is most likely a
  ///   mistake.
  static func parse(_ text: String) throws -> ByteLimit {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let number = trimmed.prefix { $0.isNumber || $0 == "." }
    let unit = trimmed.dropFirst(number.count).trimmingCharacters(in: .whitespaces)
    if let count = ByteCount.parse(text), !unit.isEmpty || count >= 1000 { return ByteLimit(byteCount: count) }
    guard let value = Double(number), value > 0 else {
      throw ArgumentFault(
        value: text, why: "it is not a size", next: "enter a number with a unit, for example 25MB, 800kB or 1GiB")
    }
    if unit.isEmpty {
      throw ArgumentFault(value: text, why: "it has no unit", next: "did you mean \(number)MB?")
    }
    throw ArgumentFault(
      value: text,
      why: ByteCount.parse("1\(unit)") == nil ? "\"\(unit.onOneLine)\" is not a size unit" : "it is out of range",
      next: "use kB, MB, GB, KiB, MiB or GiB, as in 25MB")
  }
}
