internal import ClipModel

/// Finds positions in protocol buffers without their schema (protobuf.dev/programming-guides/encoding): messages with
/// latitude and longitude as doubles in two successive fields, as DJI's (`dvtm_*.proto`) and Parrot's (`vmeta.proto`).
struct ProtobufPositions {
  private(set) var trace = PositionTrace()
  /// Whether the bytes are protocol buffers up to the end.
  private(set) var isWhole = false
  /// Parts that could be text could also be messages: real ones nest half as deep.
  private static let depthLimit = 10

  init(in bytes: [UInt8]) {
    isWhole = !bytes.isEmpty && read(bytes[...], depth: 0)
  }

  /// What one message holds by itself.
  private struct Message {
    var doubles: [UInt64: Double] = [:]
    /// DJI's field 1 beside a position: 0 for radians, 1 for degrees, left out when it is 0.
    var unit: UInt64?

    var position: GeoPosition? {
      if let latitude = doubles[1], let longitude = doubles[2] {
        return GeoPosition(latitude: latitude, longitude: longitude)
      }
      guard let latitude = doubles[2], let longitude = doubles[3] else { return nil }
      let factor = unit == 1 ? 1 : 180 / Double.pi
      return GeoPosition(latitude: latitude * factor, longitude: longitude * factor)
    }
  }

  /// - Returns: Whether it is a message up to the end.
  private mutating func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> Bool {
    var fields = ProtobufReader(bytes)
    var message = Message()
    var inner: [ArraySlice<UInt8>] = []
    while let field = fields.next() {
      switch field.value {
      case .integer(let value): if field.number == 1 { message.unit = value }
      case .double(let value): if field.number <= 3 { message.doubles[field.number] = value }
      case .float: break
      // A position takes two doubles with their tags.
      case .bytes(let bytes): if bytes.count >= 18 { inner.append(bytes) }
      }
    }
    guard fields.isWhole else { return false }
    trace.add(message.position)
    guard depth < Self.depthLimit else { return true }
    for bytes in inner { _ = read(bytes, depth: depth + 1) }
    return true
  }
}

/// Walks the fields of one message.
struct ProtobufReader {
  enum Value {
    case integer(UInt64)
    case double(Double)
    case float
    case bytes(ArraySlice<UInt8>)
  }

  private var rest: ArraySlice<UInt8>
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

  /// Seven bits a byte, the lowest first; at most ten bytes.
  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for (index, byte) in rest.prefix(10).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 {
        rest = rest.dropFirst(index + 1)
        return value
      }
    }
    return nil
  }
}
