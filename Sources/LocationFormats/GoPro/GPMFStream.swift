internal import ClipModel
internal import ISOMedia

/// The state needed to read the values in a stream (`STRM`) of GoPro metadata. A stream's earlier elements define the
/// scale of later ones.
struct GPMFStream {
  private var scales: [Double] = []
  /// The type letters of the numbers in a structure of type `?`.
  private var structure: [UInt8] = []

  private struct NumberType {
    /// The size of a structure in bytes.
    var size: Int
    var read: @Sendable (RecordFields, Int) -> Double?
  }

  /// The number types, keyed by type letter. All numbers are big-endian.
  private static let numberTypes: [Character: NumberType] = [
    "b": NumberType(size: 1) { $0.bigEndian(Int8.self, at: $1).map(Double.init) },
    "B": NumberType(size: 1) { $0.bigEndian(UInt8.self, at: $1).map(Double.init) },
    "s": NumberType(size: 2) { $0.bigEndian(Int16.self, at: $1).map(Double.init) },
    "S": NumberType(size: 2) { $0.bigEndian(UInt16.self, at: $1).map(Double.init) },
    "l": NumberType(size: 4) { $0.bigEndian(Int32.self, at: $1).map(Double.init) },
    "L": NumberType(size: 4) { $0.bigEndian(UInt32.self, at: $1).map(Double.init) },
    "j": NumberType(size: 8) { $0.bigEndian(Int64.self, at: $1).map(Double.init) },
    "J": NumberType(size: 8) { $0.bigEndian(UInt64.self, at: $1).map(Double.init) },
    "f": NumberType(size: 4) { $0.bigEndian(UInt32.self, at: $1).map { Double(Float(bitPattern: $0)) } },
    "d": NumberType(size: 8) { $0.bigEndian(UInt64.self, at: $1).map(Double.init(bitPattern:)) },
    // These are fixed-point numbers with 16 or 32 fraction bits.
    "q": NumberType(size: 4) { $0.bigEndian(Int32.self, at: $1).map { Double($0) / 0x1_0000 } },
    "Q": NumberType(size: 8) { $0.bigEndian(Int64.self, at: $1).map { Double($0) / 0x1_0000_0000 } },
  ]

  private static func numberType(_ letter: UInt8) -> NumberType? { numberTypes[Character(Unicode.Scalar(letter))] }

  /// Stores an element that describes the elements after it.
  mutating func update(with element: GPMFElement) {
    switch element.key {
    case "SCAL":
      guard let type = Self.numberType(element.type) else { return }
      let fields = RecordFields(element.payload)
      scales = stride(from: 0, to: fields.count, by: type.size).prefix(32).compactMap { type.read(fields, $0) }
    case "TYPE": structure = Array(element.payload.prefix(64))
    default: break
    }
  }

  /// Returns the positions in an element. Structures without a GPS fix are skipped.
  func readPositions(of element: GPMFElement) -> PositionTrace {
    guard let index = element.latitudeIndex, element.structureSize > 0,
      let latitude = locateField(index, of: element), let longitude = locateField(index + 1, of: element)
    else { return [] }
    let fields = RecordFields(element.payload)
    let starts = stride(from: 0, to: fields.count, by: element.structureSize)
    return PositionTrace(
      starts.lazy.map { start in
        guard let record = fields.record(at: start, count: element.structureSize),
          let north = latitude.type.read(record, latitude.offset),
          let east = longitude.type.read(record, longitude.offset)
        else { return nil }
        return GeoPosition(latitude: north / scaleFactor(index), longitude: east / scaleFactor(index + 1))
      })
  }

  /// Returns the type and offset of a number in a structure.
  private func locateField(_ index: Int, of element: GPMFElement) -> (type: NumberType, offset: Int)? {
    let isStructure = element.type == UInt8(ascii: "?")
    let letters = isStructure ? Array(structure.prefix(index + 1)) : Array(repeating: element.type, count: index + 1)
    let types = letters.compactMap(Self.numberType)
    guard types.count == index + 1 else { return nil }
    return (types[index], types[..<index].reduce(0) { $0 + $1.size })
  }

  /// Returns the scale of a number. A stream has a common scale for all numbers, or a separate scale for each.
  private func scaleFactor(_ index: Int) -> Double {
    let scale = scales.count == 1 ? scales.first : scales.dropFirst(index).first
    return scale.flatMap { $0 == 0 ? nil : $0 } ?? 1
  }
}
