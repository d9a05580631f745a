import ClipModel
import ISOMedia
import LocationFormats
import Testing

/// Writes little-endian values, and structures with values at fixed offsets.
extension BoxWriter {
  mutating func little(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { u8(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func littleFloat(_ value: Float) { little(value.bitPattern) }
  mutating func littleDouble(_ value: Double) { little(value.bitPattern) }

  /// Writes zeros up to an offset.
  mutating func pad(to offset: Int) { zeros(offset - bytes.count) }
}

func bytes(_ write: (inout BoxWriter) -> Void) -> [UInt8] {
  var writer = BoxWriter()
  write(&writer)
  return writer.bytes
}

/// Reads bytes as a single box.
func onlyBox(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws -> Box {
  // At the top of a file, the box reader would treat a box with too large a size as a trailer.
  var reader = BoxReader(source: MemoryBytes(bytes), range: 0..<Int64(bytes.count), path: "moov")
  return try #require(try reader.next(), sourceLocation: sourceLocation)
}

extension PositionTrace {
  /// Whether the trace has this number of positions and starts with this one, within a meter.
  func begins(at latitude: Double, _ longitude: Double, count: Int) -> Bool {
    guard let first else { return false }
    return self.count == count && abs(first.latitude - latitude) < 1e-5 && abs(first.longitude - longitude) < 1e-5
  }
}
