import Foundation

/// Formats and parses byte counts.
package enum ByteCount {
  /// Formats a byte count in decimal units, independent of the locale: `4.2 MB`, `312 kB`, `17 bytes`.
  package static func text(_ count: Int64) -> String {
    let units: [(Double, String)] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    for (size, unit) in units where Double(count) >= size {
      let value = Double(count) / size
      return String(format: value < 10 ? "%.1f %@" : "%.0f %@", value, unit)
    }
    return count == 1 ? "1 byte" : "\(count) bytes"
  }

  /// Formats progress as `12.4 of 80 MB`. Both numbers use the unit of the total.
  package static func text(_ count: Int64, of total: Int64) -> String {
    guard let unit = [1e9, 1e6, 1e3].first(where: { Double(total) >= $0 }) else {
      return "\(count) of \(text(total))"
    }
    return String(format: Double(total) / unit < 100 ? "%.1f of %@" : "%.0f of %@", Double(count) / unit, text(total))
  }

  /// Formats a byte count exactly, in the largest possible unit: `8MiB`, `400kB`, `1234`. Binary units take precedence.
  /// `parse` accepts the result.
  package static func exactText(_ count: Int64) -> String {
    let units: [(Int64, String)] = [
      (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB"),
    ]
    for (size, unit) in units where count >= size && count % size == 0 { return "\(count / size)\(unit)" }
    return String(count)
  }

  /// Parses `25MB`, `1.5 GB`, `800k`, `2GiB` or `1000000`. Returns `nil` for zero and for invalid strings.
  package static func parse(_ text: String) -> Int64? {
    let text = text.trimmingCharacters(in: .whitespaces).lowercased()
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count).trimmingCharacters(in: .whitespaces)
    let factors: [String: Double] = [
      "": 1, "b": 1, "bytes": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "kib": 1024,
      "mib": 1_048_576, "gib": 1_073_741_824,
    ]
    guard let value = Double(number), let factor = factors[unit], (1..<9e18).contains(value * factor) else {
      return nil
    }
    return Int64(value * factor)
  }
}
