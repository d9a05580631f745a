internal import ClipModel

/// Finds positions in protocol buffers without their schema (protobuf.dev/programming-guides/encoding): messages with
/// latitude and longitude as doubles in two successive fields, as DJI (`dvtm_*.proto`) and Parrot (`vmeta.proto`) write
/// them.
struct ProtobufPositions {
  private(set) var trace = PositionTrace()
  /// The maximum nesting depth, because any bytes field may be a nested message. Real messages need half of it.
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
      // A position takes two doubles with their tags.
      case .bytes(let bytes): if bytes.count >= 18 { inner.append(bytes) }
      }
    }
    guard fields.isWhole else { return }
    trace.add(Self.position(doubles, unit: unit))
    guard depth < Self.depthLimit else { return }
    for bytes in inner { read(bytes, depth: depth + 1) }
  }

  /// - Parameter unit: DJI's field 1 next to a position: 1 is degrees, 0 (which may be omitted) is radians.
  private static func position(_ doubles: [UInt64: Double], unit: UInt64?) -> GeoPosition? {
    if let latitude = doubles[1], let longitude = doubles[2] {
      return GeoPosition(latitude: latitude, longitude: longitude)
    }
    guard let latitude = doubles[2], let longitude = doubles[3] else { return nil }
    let factor = unit == 1 ? 1 : 180 / Double.pi
    return GeoPosition(latitude: latitude * factor, longitude: longitude * factor)
  }
}

/// Reads the fields of one message.
struct ProtobufReader {
  enum Value {
    case integer(UInt64)
    case double(Double)
    case float
    case bytes(ArraySlice<UInt8>)
  }

  private var rest: ArraySlice<UInt8>
  /// Whether all bytes read so far are complete fields.
  private(set) var isWhole = true

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> (number: UInt64, value: Value)? {
    guard !rest.isEmpty, isWhole else { return nil }
    guard let tag = varint(), tag >> 3 > 0, let value = value(wireType: tag & 7) else {
      isWhole = false
      return nil
    }
    return (tag >> 3, value)
  }

  private mutating func value(wireType: UInt64) -> Value? {
    switch wireType {
    case 0: varint().map(Value.integer)
    case 1: take(8).flatMap { RecordFields($0).double(at: 0) }.map(Value.double)
    case 2: varint().flatMap(Int.init(exactly:)).flatMap { take($0) }.map(Value.bytes)
    case 5: take(4).map { _ in .float }
    default: nil
    }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() -> UInt64? {
    guard let (value, byteCount) = LEB128.read(rest, atMost: 10) else { return nil }
    rest = rest.dropFirst(byteCount)
    return value
  }
}

/// Reads an integer in groups of seven bits, the lowest group first (protocol buffers, AV1).
enum LEB128 {
  /// - Returns: `nil` if the number is longer than the limit.
  static func read(_ bytes: ArraySlice<UInt8>, atMost limit: Int) -> (value: UInt64, byteCount: Int)? {
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(limit).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 { return (value, index + 1) }
    }
    return nil
  }
}
