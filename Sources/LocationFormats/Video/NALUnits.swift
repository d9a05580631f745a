internal import ISOMedia

/// Reads a sample's NAL units that can contain messages: supplemental enhancement information (SEI), filler data, and
/// units of unspecified types.
package struct NALUnits {
  /// The maximum size of a unit in bytes. Cameras write smaller SEI messages, and larger units are not read.
  static let sizeLimit: Int64 = 1 << 20

  let source: any ByteSource
  let codec: NALUnitCodec
  let search: PositionSearch

  /// Finds messages in length-prefixed NAL units. The last length may exceed the sample.
  func messages(in range: Range<Int64>, lengthSize: Int) throws(ISOMediaError) -> [EmbeddedMessage] {
    guard (1...4).contains(lengthSize) else { return [] }
    var found: [EmbeddedMessage] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let head = try source.bytes(at: start, count: lengthSize + codec.headerSize)
      guard head.count > lengthSize else { break }
      let length = head[..<lengthSize].reduce(0) { $0 << 8 | Int64($1) }
      let unit = start + Int64(lengthSize)
      let end = min(unit + length, range.upperBound)
      if length > 0, unit < end, codec.mayContainMessages(head[lengthSize]),
        var message = try examineUnit(in: start..<end, unit: unit)
      {
        message.replacement = Self.addLengthPrefix(message.replacement, lengthSize: lengthSize)
        found.append(message)
      }
      start = unit + length
    }
    return found
  }

  /// Finds messages in NAL units that are delimited by start codes.
  func messages(in range: Range<Int64>) throws(ISOMediaError) -> [EmbeddedMessage] {
    var found: [EmbeddedMessage] = []
    // A unit that may contain messages and whose end hasn't been reached yet.
    var open: (start: Int64, unit: Int64)?
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = try source.bytes(at: offset, count: Int(min(Self.pieceSize, range.upperBound - offset)))
      let isLast = offset + Int64(piece.count) >= range.upperBound || piece.count < 4
      var next = 0
      // A start code at the end of a piece is read with the next piece, which contains the unit's header.
      while let index = Self.findStartCode(in: piece, from: &next), isLast || index + 3 < piece.count {
        // An optional leading zero belongs to the start code.
        let code = offset + Int64(index)
        var start = code
        if code > range.lowerBound, try source.bytes(at: code - 1, count: 1) == [0] { start -= 1 }
        if let open { try found += makeMessage(open, at: start) }
        let isOpen = index + 3 < piece.count && codec.mayContainMessages(piece[index + 3])
        open = isOpen ? (start, code + 3) : nil
        next = index + 3
      }
      if isLast { break }
      offset += Int64(next)
    }
    if let open { try found += makeMessage(open, at: range.upperBound) }
    return found
  }

  /// Advances the index to the next `00 00 01`. If more bytes follow, stops at the first byte that could be the start
  /// of one.
  package static func findStartCode(in bytes: [UInt8], from index: inout Int) -> Int? {
    // The third byte determines how many bytes to skip.
    while index + 2 < bytes.count {
      let third = bytes[index + 2]
      if third == 1, bytes[index] == 0, bytes[index + 1] == 0 { return index }
      index += third == 0 ? 1 : 3
    }
    return nil
  }

  private static let pieceSize: Int64 = 64 << 10

  private func makeMessage(_ open: (start: Int64, unit: Int64), at end: Int64) throws(ISOMediaError)
    -> [EmbeddedMessage]
  {
    guard open.unit < end, var message = try examineUnit(in: open.start..<end, unit: open.unit) else { return [] }
    if !message.replacement.isEmpty {
      let code: [UInt8] = open.unit - open.start == 4 ? [0, 0, 0, 1] : [0, 0, 1]
      message.replacement = code + message.replacement
    }
    return [message]
  }

  /// Checks a unit for a message.
  /// - Parameter range: the byte range of the unit, including its length prefix or start code.
  private func examineUnit(in range: Range<Int64>, unit: Int64) throws(ISOMediaError) -> EmbeddedMessage? {
    let size = range.upperBound - unit
    guard let header = try source.bytes(at: unit, count: 1).first else { return nil }
    guard codec.isSEI(header) else { return try examineUnspecifiedUnit(range, unit: unit) }
    guard size <= Self.sizeLimit else {
      return EmbeddedMessage(finding: PayloadFinding(kind: "sei-oversized", disclosure: .opaque), range: range)
    }
    let bytes = try source.bytes(at: unit, count: Int(size))
    return SEIMessages.examine(bytes, headerSize: codec.headerSize, search: search)
      .map { EmbeddedMessage(finding: $0.finding, range: range, replacement: $0.rest) }
  }

  /// Checks filler data and units that decoders ignore, which are removed if they contain a position.
  private func examineUnspecifiedUnit(_ range: Range<Int64>, unit: Int64) throws(ISOMediaError) -> EmbeddedMessage? {
    let bytes = try source.bytes(in: unit..<range.upperBound, atMost: Int(Self.sizeLimit))
    // This is regular filler data.
    if bytes.dropFirst(codec.headerSize).allSatisfy({ $0 == 0xFF || $0 == 0x80 }) { return nil }
    guard var finding = search.examine(RBSP.unescaped(bytes)) else { return nil }
    finding.kind = "nal-unit"
    return EmbeddedMessage(finding: finding, range: range)
  }

  /// Returns a unit with its length prefix. Empty if the unit is empty, or too large for its length prefix, which is
  /// only possible if it lacked emulation prevention bytes.
  private static func addLengthPrefix(_ unit: [UInt8], lengthSize: Int) -> [UInt8] {
    guard !unit.isEmpty, unit.count < 1 << (8 * lengthSize) else { return [] }
    return (0..<lengthSize).map { UInt8(truncatingIfNeeded: unit.count >> (8 * (lengthSize - 1 - $0))) } + unit
  }
}

extension NALUnitCodec {
  /// Whether a unit contains SEI messages: type 6 in H.264; in HEVC, type 39 before the image and 40 after it.
  /// - Parameter header: the first byte of the unit.
  func isSEI(_ header: UInt8) -> Bool {
    switch self {
    case .h264: unitType(header) == 6
    case .hevc: unitType(header) == 39 || unitType(header) == 40
    }
  }

  /// Whether a unit can contain a message: SEI, filler data (type 12 in H.264, 38 in HEVC), and types that are reserved
  /// for other standards. In HEVC, Dolby Vision uses types 62 and 63 for metadata and image data.
  func mayContainMessages(_ header: UInt8) -> Bool {
    switch (self, unitType(header)) {
    case (_, _) where isSEI(header): true
    case (.h264, 0), (.h264, 12), (.h264, 24...31): true
    case (.hevc, 38), (.hevc, 41...61): true
    default: false
    }
  }
}
