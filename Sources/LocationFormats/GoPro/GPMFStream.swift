internal import ClipModel
internal import ISOMedia

/// The values of one stream (`STRM`) of GoPro's metadata: how they are scaled stands in the elements before them.
struct GPMFStream {
  private var scales: [Double] = []
  /// Type letters of the numbers in a structure of type `?`.
  private var structure: [UInt8] = []

  /// Bytes of the number types; all are big-endian.
  private static func size(of type: UInt8) -> Int? {
    switch type {
    case UInt8(ascii: "b"), UInt8(ascii: "B"): 1
    case UInt8(ascii: "s"), UInt8(ascii: "S"): 2
    case UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "f"), UInt8(ascii: "q"): 4
    case UInt8(ascii: "j"), UInt8(ascii: "J"), UInt8(ascii: "d"), UInt8(ascii: "Q"): 8
    default: nil
    }
  }

  private static func number(_ type: UInt8, at offset: Int, of fields: RecordFields) -> Double? {
    switch type {
    case UInt8(ascii: "b"): fields.big(Int8.self, at: offset).map(Double.init)
    case UInt8(ascii: "B"): fields.big(UInt8.self, at: offset).map(Double.init)
    case UInt8(ascii: "s"): fields.big(Int16.self, at: offset).map(Double.init)
    case UInt8(ascii: "S"): fields.big(UInt16.self, at: offset).map(Double.init)
    case UInt8(ascii: "l"): fields.big(Int32.self, at: offset).map(Double.init)
    case UInt8(ascii: "L"): fields.big(UInt32.self, at: offset).map(Double.init)
    case UInt8(ascii: "j"): fields.big(Int64.self, at: offset).map(Double.init)
    case UInt8(ascii: "J"): fields.big(UInt64.self, at: offset).map(Double.init)
    case UInt8(ascii: "f"): fields.big(UInt32.self, at: offset).map { Double(Float(bitPattern: $0)) }
    case UInt8(ascii: "d"): fields.big(UInt64.self, at: offset).map(Double.init(bitPattern:))
    // Fixed point with 16 and 32 bits behind the point.
    case UInt8(ascii: "q"): fields.big(Int32.self, at: offset).map { Double($0) / 0x1_0000 }
    case UInt8(ascii: "Q"): fields.big(Int64.self, at: offset).map { Double($0) / 0x1_0000_0000 }
    default: nil
    }
  }

  /// Takes note of an element that says how to read those behind it.
  mutating func note(_ element: GPMFElement) {
    switch element.key {
    case "SCAL":
      guard let size = Self.size(of: element.type) else { return }
      let fields = RecordFields(element.payload)
      scales = stride(from: 0, to: fields.count, by: size).prefix(32).compactMap {
        Self.number(element.type, at: $0, of: fields)
      }
    case "TYPE": structure = Array(element.payload.prefix(64))
    default: break
    }
  }

  /// The positions of an element; those without a fix are left out.
  func positions(of element: GPMFElement) -> PositionTrace {
    guard let index = element.latitudeIndex, element.structureSize > 0,
      let latitude = field(index, of: element), let longitude = field(index + 1, of: element)
    else { return [] }
    let fields = RecordFields(element.payload)
    let starts = stride(from: 0, to: fields.count, by: element.structureSize)
    return PositionTrace(
      starts.lazy.map { start in
        guard let record = fields.record(at: start, count: element.structureSize),
          let north = Self.number(latitude.type, at: latitude.offset, of: record),
          let east = Self.number(longitude.type, at: longitude.offset, of: record)
        else { return nil }
        return GeoPosition(latitude: north / scale(index), longitude: east / scale(index + 1))
      })
  }

  /// Type and offset of one number of a structure.
  private func field(_ index: Int, of element: GPMFElement) -> (type: UInt8, offset: Int)? {
    guard element.type == UInt8(ascii: "?") else {
      return Self.size(of: element.type).map { (element.type, $0 * index) }
    }
    guard let type = structure.dropFirst(index).first else { return nil }
    let sizes = structure.prefix(index).map { Self.size(of: $0) }
    return sizes.contains(nil) ? nil : (type, sizes.compactMap(\.self).reduce(0, +))
  }

  /// One factor for all numbers, or one for each.
  private func scale(_ index: Int) -> Double {
    let scale = scales.count == 1 ? scales.first : scales.dropFirst(index).first
    return scale.flatMap { $0 == 0 ? nil : $0 } ?? 1
  }
}
