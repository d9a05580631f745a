internal import ISOMedia

/// Reads an AV1 sample's open bitstream units (OBUs) that aren't image data (AV1 specification, 5.3).
enum OpenBitstreamUnits {
  static func messages(
    in range: Range<Int64>, of source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> [EmbeddedMessage] {
    var found: [EmbeddedMessage] = []
    var start = range.lowerBound
    while start < range.upperBound {
      // The header has one or two bytes, and the size has up to eight.
      let head = try source.bytes(at: start, count: Int(min(10, range.upperBound - start)))
      guard let first = head.first else { break }
      var payload = start + (first & 0x04 == 0 ? 1 : 2)
      var end = range.upperBound
      // A unit that has no size extends to the end of the sample.
      if first & 0x02 != 0 {
        guard let size = LEB128.read(head.dropFirst(Int(payload - start)), atMost: 8) else { break }
        payload += Int64(size.byteCount)
        end = min(Int64(clamping: size.value), range.upperBound - min(payload, range.upperBound)) + payload
      }
      guard payload <= range.upperBound else { break }
      let finding = try examine(type: first >> 3 & 0x0F, payload..<max(payload, end), of: source, search: search)
      if let finding, finding.disclosure != .harmless {
        found.append(EmbeddedMessage(finding: finding, range: start..<end))
      }
      start = end
    }
    return found
  }

  private static func examine(
    type: UInt8, _ payload: Range<Int64>, of source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> PayloadFinding? {
    switch type {
    case 5, 15:
      let size = payload.upperBound - payload.lowerBound
      if size > NALUnits.sizeLimit { return PayloadFinding(kind: "av1-oversized", disclosure: .opaque) }
      let bytes = try source.bytes(at: payload.lowerBound, count: Int(size))
      return type == 5 ? examineMetadata(bytes, search) : examinePadding(bytes)
    // Decoders skip these types, so they can contain anything.
    case 0, 9...14: return PayloadFinding(kind: "av1-reserved", disclosure: payload.isEmpty ? .harmless : .opaque)
    default: return nil
    }
  }

  private static func examineMetadata(_ bytes: [UInt8], _ search: PositionSearch) -> PayloadFinding {
    let type = LEB128.read(bytes[...], atMost: 8)
    switch type?.value {
    // These types contain light levels, the mastering display, scalability, and timecodes.
    case 1, 2, 3, 5:
      return search.examine(bytes) ?? PayloadFinding(kind: "av1-metadata", disclosure: .harmless)
    case 4:
      return UserData.examineRegisteredData(bytes.dropFirst(type?.byteCount ?? 0), kind: "av1-itu-t35", search: search)
    default: return PayloadFinding(kind: "av1-metadata", disclosure: .opaque)
    }
  }

  /// Checks padding. Encoders write zeros and a stop bit; any other content is opaque.
  private static func examinePadding(_ bytes: [UInt8]) -> PayloadFinding {
    var used = bytes[...]
    while used.last == 0 { used.removeLast() }
    if used.last == 0x80 { used.removeLast() }
    let isEmpty = used.allSatisfy { $0 == 0 }
    return PayloadFinding(kind: "av1-padding", disclosure: isEmpty ? .harmless : .opaque)
  }
}
