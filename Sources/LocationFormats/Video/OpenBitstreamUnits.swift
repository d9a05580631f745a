internal import ISOMedia

/// Walks the open bitstream units of an AV1 sample (AV1 specification, 5.3) and looks into those that are no picture.
enum OpenBitstreamUnits {
  static func attachments(
    in range: Range<Int64>, of source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> [PictureAttachment] {
    var found: [PictureAttachment] = []
    var start = range.lowerBound
    while start < range.upperBound {
      // A header of one or two bytes, a size of up to eight.
      let head = try source.bytes(at: start, count: Int(min(10, range.upperBound - start)))
      guard let first = head.first else { break }
      var payload = start + (first & 0x04 == 0 ? 1 : 2)
      var end = range.upperBound
      // Without a size it reaches to the end.
      if first & 0x02 != 0 {
        guard let size = leb128(head.dropFirst(Int(payload - start))) else { break }
        payload += Int64(size.byteCount)
        end = min(Int64(clamping: size.value), range.upperBound - min(payload, range.upperBound)) + payload
      }
      guard payload <= range.upperBound else { break }
      if let finding = try examine(type: first >> 3 & 0x0F, payload..<max(payload, end), of: source, search: search) {
        found.append(PictureAttachment(finding: finding, range: start..<end, replacement: []))
      }
      start = end
    }
    return found
  }

  private static func examine(
    type: UInt8, _ payload: Range<Int64>, of source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> PayloadFinding? {
    let finding: PayloadFinding
    switch type {
    case 5, 15:
      let size = payload.upperBound - payload.lowerBound
      if size > NALUnits.sizeLimit { return PayloadFinding(kind: "av1-oversized", disclosure: .opaque) }
      let bytes = try source.bytes(at: payload.lowerBound, count: Int(size))
      finding = type == 5 ? metadata(bytes, search) : padding(bytes)
    case 0, 9...14:
      // Decoders pass them over: room for anything.
      finding = PayloadFinding(kind: "av1-reserved", disclosure: payload.isEmpty ? .harmless : .opaque)
    default: return nil
    }
    return finding.disclosure == .harmless ? nil : finding
  }

  private static func metadata(_ bytes: [UInt8], _ search: PositionSearch) -> PayloadFinding {
    guard let type = leb128(bytes[...]) else { return PayloadFinding(kind: "av1-metadata", disclosure: .opaque) }
    switch type.value {
    // Light levels, mastering display, scalability, time code.
    case 1, 2, 3, 5:
      return search.examine(bytes) ?? PayloadFinding(kind: "av1-metadata", disclosure: .harmless)
    case 4: return UserData.registered(bytes.dropFirst(type.byteCount), kind: "av1-itu-t35", search: search)
    default: return PayloadFinding(kind: "av1-metadata", disclosure: .opaque)
    }
  }

  /// Padding is anything; encoders write zeros and the stop bit.
  private static func padding(_ bytes: [UInt8]) -> PayloadFinding {
    var used = bytes[...]
    while used.last == 0 { used.removeLast() }
    if used.last == 0x80 { used.removeLast() }
    let isEmpty = used.allSatisfy { $0 == 0 }
    return PayloadFinding(kind: "av1-padding", disclosure: isEmpty ? .harmless : .opaque)
  }

  /// A number of seven bits a byte, the low ones first; at most eight bytes.
  private static func leb128(_ bytes: ArraySlice<UInt8>) -> (value: UInt64, byteCount: Int)? {
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(8).enumerated() {
      value |= UInt64(byte & 0x7F) << (7 * UInt64(index))
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }
}
