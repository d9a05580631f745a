/// An `hvcC` record (ISO/IEC 14496-15, 8.3.3.1.2): 22 header bytes, the array count, and the arrays. Each array has a
/// type, a 2-byte count, and NAL units with 2-byte length prefixes.
package struct HEVCConfigurationRecord: Equatable, Sendable {
  /// An array of NAL units of the same type.
  package struct UnitArray: Equatable, Sendable {
    /// The `array_completeness` bit and, in the lower 6 bits, `NAL_unit_type`.
    package var type: UInt8
    package var units: [[UInt8]]

    package init(type: UInt8, units: [[UInt8]]) {
      self.type = type
      self.units = units
    }
  }

  /// The first 22 bytes of the record.
  package let head: [UInt8]
  package var arrays: [UnitArray] = []
  /// Unexpected data after the arrays.
  package var rest: [UInt8] = []
  /// Whether the record is truncated.
  package private(set) var isCutOff = false

  /// Parses a record. If the record is truncated, the last NAL unit is incomplete.
  /// - Returns: `nil` if the record is invalid.
  package init?(_ record: [UInt8]) {
    var cursor = ByteCursor(record)
    guard let head = cursor.take(22), let count = cursor.u8() else { return nil }
    // Annex B data starts with zeros. Files from early writers have version 0 instead of 1.
    guard head.prefix(3).contains(where: { $0 != 0 }), !head.starts(with: [0, 0, 1]) else { return nil }
    self.head = Array(head)
    for _ in 0..<count {
      guard let type = cursor.u8(), let count = cursor.u16() else {
        isCutOff = true
        return
      }
      arrays.append(UnitArray(type: type, units: readUnits(count, &cursor)))
    }
    rest = Array(cursor.take(cursor.remaining) ?? [])
  }

  private mutating func readUnits(_ count: UInt16, _ cursor: inout ByteCursor) -> [[UInt8]] {
    var units: [[UInt8]] = []
    for _ in 0..<count {
      guard let length = cursor.u16() else {
        isCutOff = true
        break
      }
      if Int(length) > cursor.remaining { isCutOff = true }
      guard let unit = cursor.take(min(Int(length), cursor.remaining)) else { break }
      units.append(Array(unit))
    }
    return units
  }

  package var bytes: [UInt8] {
    var bytes = head + [UInt8(truncatingIfNeeded: arrays.count)]
    for array in arrays {
      bytes += [array.type] + Self.bigEndianBytes(array.units.count)
      for unit in array.units { bytes += Self.bigEndianBytes(unit.count) + unit }
    }
    return bytes + rest
  }

  private static func bigEndianBytes(_ count: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
  }
}
