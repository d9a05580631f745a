internal import ISOMedia

/// Walks the NAL units of a sample and looks into those with supplemental enhancement information, into filler, and into
/// units of types that the standards leave to others.
struct NALUnits {
  /// No SEI of a camera is as large; more is not read.
  static let sizeLimit: Int64 = 1 << 20

  let source: any ByteSource
  let codec: NALUnitCodec
  let search: PositionSearch

  /// Units behind their lengths. The last one may claim more than there is.
  func attachments(in range: Range<Int64>, lengthSize: Int) throws(ISOMediaError) -> [PictureAttachment] {
    guard (1...4).contains(lengthSize) else { return [] }
    var found: [PictureAttachment] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let head = try source.bytes(at: start, count: lengthSize + codec.headerSize)
      guard head.count > lengthSize else { break }
      let length = head[..<lengthSize].reduce(0) { $0 << 8 | Int64($1) }
      let unit = start + Int64(lengthSize)
      let end = min(unit + length, range.upperBound)
      if length > 0, unit < end, codec.hasRoom(head[lengthSize]),
        var attachment = try attachment(in: start..<end, unit: unit)
      {
        attachment.replacement = Self.prefixed(attachment.replacement, lengthSize: lengthSize)
        found.append(attachment)
      }
      start = unit + length
    }
    return found
  }

  /// Units behind start codes.
  func attachments(in range: Range<Int64>) throws(ISOMediaError) -> [PictureAttachment] {
    var found: [PictureAttachment] = []
    // The unit whose end is not seen yet, when it is of interest.
    var open: (start: Int64, unit: Int64)?
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = try source.bytes(at: offset, count: Int(min(Self.pieceSize, range.upperBound - offset)))
      let isLast = offset + Int64(piece.count) >= range.upperBound || piece.count < 4
      var next = 0
      // A code that touches the end is looked at with the next piece, which has the header behind it.
      while let index = Self.startCode(in: piece, from: &next), isLast || index + 3 < piece.count {
        // The zero in front belongs to the code when it is there.
        let code = offset + Int64(index)
        var start = code
        if code > range.lowerBound, try source.bytes(at: code - 1, count: 1) == [0] { start -= 1 }
        if let open { try found += closed(open, at: start) }
        let isOpen = index + 3 < piece.count && codec.hasRoom(piece[index + 3])
        open = isOpen ? (start, code + 3) : nil
        next = index + 3
      }
      if isLast { break }
      offset += Int64(next)
    }
    if let open { try found += closed(open, at: range.upperBound) }
    return found
  }

  /// The first `00 00 01` from an index on, which goes on to it; without one, to the first byte that could begin one
  /// with what follows.
  private static func startCode(in bytes: [UInt8], from index: inout Int) -> Int? {
    // The third byte of a code tells how far the next one can be away.
    while index + 2 < bytes.count {
      let third = bytes[index + 2]
      if third == 1, bytes[index] == 0, bytes[index + 1] == 0 { return index }
      index += third == 0 ? 1 : 3
    }
    return nil
  }

  private static let pieceSize: Int64 = 64 << 10

  private func closed(_ open: (start: Int64, unit: Int64), at end: Int64) throws(ISOMediaError) -> [PictureAttachment] {
    guard open.unit < end, var attachment = try attachment(in: open.start..<end, unit: open.unit) else { return [] }
    if !attachment.replacement.isEmpty {
      let code: [UInt8] = open.unit - open.start == 4 ? [0, 0, 0, 1] : [0, 0, 1]
      attachment.replacement = code + attachment.replacement
    }
    return [attachment]
  }

  /// - Parameter range: The unit with what stands in front of it.
  private func attachment(in range: Range<Int64>, unit: Int64) throws(ISOMediaError) -> PictureAttachment? {
    let size = range.upperBound - unit
    guard let header = try source.bytes(at: unit, count: 1).first else { return nil }
    guard codec.isSEI(header) else { return try unspecified(range, unit: unit) }
    guard size <= Self.sizeLimit else {
      return PictureAttachment(
        finding: PayloadFinding(kind: "sei-oversized", disclosure: .opaque), range: range, replacement: [])
    }
    let bytes = try source.bytes(at: unit, count: Int(size))
    guard let (finding, rest) = SEIMessages.examine(bytes, headerSize: codec.headerSize, search: search) else {
      return nil
    }
    return PictureAttachment(finding: finding, range: range, replacement: rest)
  }

  /// Filler and units that no decoder reads: they go when a position is in them.
  private func unspecified(_ range: Range<Int64>, unit: Int64) throws(ISOMediaError) -> PictureAttachment? {
    let bytes = try source.bytes(in: unit..<range.upperBound, atMost: Int(Self.sizeLimit))
    // Filler of 0xFF, as it has to be.
    if bytes.dropFirst(codec.headerSize).allSatisfy({ $0 == 0xFF || $0 == 0x80 }) { return nil }
    guard var finding = search.examine(RBSP.unescaped(bytes)) else { return nil }
    finding.kind = "nal-unit"
    return PictureAttachment(finding: finding, range: range, replacement: [])
  }

  /// A unit behind its length; nothing for nothing, and for what has become too large for its length, which is possible
  /// only where somebody had forgotten to escape.
  private static func prefixed(_ unit: [UInt8], lengthSize: Int) -> [UInt8] {
    guard !unit.isEmpty, unit.count < 1 << (8 * lengthSize) else { return [] }
    return (0..<lengthSize).map { UInt8(truncatingIfNeeded: unit.count >> (8 * (lengthSize - 1 - $0))) } + unit
  }
}

extension NALUnitCodec {
  /// - Parameter header: The first byte of a unit. H.264: type 6; HEVC: 39 in front of the picture, 40 behind.
  func isSEI(_ header: UInt8) -> Bool {
    switch self {
    case .h264: unitType(header) == 6
    case .hevc: unitType(header) == 39 || unitType(header) == 40
    }
  }

  /// Units that can hold a message: SEI, filler (12; 38), and types that the standards reserve for others. Dolby Vision
  /// uses 62 and 63 of HEVC for metadata and pictures.
  func hasRoom(_ header: UInt8) -> Bool {
    switch (self, unitType(header)) {
    case (_, _) where isSEI(header): true
    case (.h264, 0), (.h264, 12), (.h264, 24...31): true
    case (.hevc, 38), (.hevc, 41...61): true
    default: false
    }
  }
}
