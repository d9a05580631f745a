import Foundation

/// Byte counts as text.
enum ByteText {
  private static let units: [(suffix: String, byteCount: Int64)] = [
    ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000),
    ("B", 1),
  ]

  static func parse(_ text: String) -> Int64? {
    let unit = units.first { text.lowercased().hasSuffix($0.suffix.lowercased()) }
    let digits = text.dropLast(unit?.suffix.count ?? 0).trimmingCharacters(in: .whitespaces)
    guard let count = Int64(digits) else { return nil }
    let (bytes, isTooBig) = count.multipliedReportingOverflow(by: unit?.byteCount ?? 1)
    return isTooBig ? nil : bytes
  }

  /// In the biggest binary unit that is exact: `8MiB`.
  static func print(_ bytes: Int64) -> String {
    for unit in units.prefix(3) where bytes >= unit.byteCount && bytes % unit.byteCount == 0 {
      return "\(bytes / unit.byteCount)\(unit.suffix)"
    }
    return String(bytes)
  }
}
