import Foundation

/// Byte counts as people read them.
public enum ByteCount {
  /// `4.2 MB`, `312 kB`, `17 bytes`: decimal units, the same in every locale.
  public static func text(_ count: Int64) -> String {
    let units: [(Double, String)] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    for (size, unit) in units where Double(count) >= size {
      let value = Double(count) / size
      return String(format: value < 10 ? "%.1f %@" : "%.0f %@", value, unit)
    }
    return count == 1 ? "1 byte" : "\(count) bytes"
  }
}
