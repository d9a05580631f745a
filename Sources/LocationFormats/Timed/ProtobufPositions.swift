internal import ClipModel

/// Finds positions in protocol buffers without their schema (protobuf.dev/programming-guides/encoding): messages that
/// contain latitude and longitude as doubles in two successive fields, as written by DJI (`dvtm_*.proto`) and Parrot
/// (`vmeta.proto`).
struct ProtobufPositions {
  private(set) var trace = PositionTrace()
  /// The maximum nesting depth, because any bytes field may be a nested message. Real messages need half as many
  /// levels.
  private static let depthLimit = 10

  init(in bytes: [UInt8]) { read(bytes[...], depth: 0) }

  private mutating func read(_ bytes: ArraySlice<UInt8>, depth: Int) {
    var fields = ProtobufReader(bytes)
    var doubles: [UInt64: Double] = [:]
    var unit: UInt64?
    var inner: [ArraySlice<UInt8>] = []
    while let field = fields.next() {
      switch field.value {
      case .integer(let value): if field.number == 1 { unit = value }
      case .double(let value): if field.number <= 3 { doubles[field.number] = value }
      case .float: break
      // A position consists of two doubles with their tags.
      case .bytes(let bytes): if bytes.count >= 18 { inner.append(bytes) }
      }
    }
    guard fields.isWhole else { return }
    trace.add(Self.makePosition(doubles, unit: unit))
    guard depth < Self.depthLimit else { return }
    for bytes in inner { read(bytes, depth: depth + 1) }
  }

  /// Reads a position.
  /// - Parameter unit: the value of DJI's field 1, which precedes a position: 1 means degrees, 0 (or a missing field)
  ///   means radians.
  private static func makePosition(_ doubles: [UInt64: Double], unit: UInt64?) -> GeoPosition? {
    if let latitude = doubles[1], let longitude = doubles[2] {
      return GeoPosition(latitude: latitude, longitude: longitude)
    }
    guard let latitude = doubles[2], let longitude = doubles[3] else { return nil }
    let factor = unit == 1 ? 1 : 180 / Double.pi
    return GeoPosition(latitude: latitude * factor, longitude: longitude * factor)
  }
}

/// Reads the fields of a message.
struct ProtobufReader {
  enum FieldValue {
    case integer(UInt64)
    case double(Double)
    case float
    case bytes(ArraySlice<UInt8>)
  }

  private var rest: ArraySlice<UInt8>
  /// Whether all bytes that have been read form complete fields.
  private(set) var isWhole = true

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> (number: UInt64, value: FieldValue)? {
    guard !rest.isEmpty, isWhole else { return nil }
    guard let tag = readVarint(), tag >> 3 > 0, let value = readValue(wireType: tag & 7) else {
      isWhole = false
      return nil
    }
    return (tag >> 3, value)
  }

  private mutating func readValue(wireType: UInt64) -> FieldValue? {
    switch wireType {
    case 0: readVarint().map(FieldValue.integer)
    case 1: takeBytes(8).flatMap { RecordFields($0).double(at: 0) }.map(FieldValue.double)
    case 2: readVarint().flatMap(Int.init(exactly:)).flatMap { takeBytes($0) }.map(FieldValue.bytes)
    case 5: takeBytes(4).map { _ in .float }
    default: nil
    }
  }

  private mutating func takeBytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func readVarint() -> UInt64? {
    guard let (value, byteCount) = LEB128.read(rest, atMost: 10) else { return nil }
    rest = rest.dropFirst(byteCount)
    return value
  }
}

/// Reads an integer in groups of seven bits, starting with the least significant group, as in protocol buffers and AV1.
enum LEB128 {
  /// Reads an integer.
  /// - Returns: `nil` if the number has more bytes than the limit.
  static func read(_ bytes: ArraySlice<UInt8>, atMost limit: Int) -> (value: UInt64, byteCount: Int)? {
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(limit).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 { return (value, index + 1) }
    }
    return nil
  }
}
