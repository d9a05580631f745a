internal import ISOMedia

/// Splits the bytes after the last box into known parts: first from the end, where most makers store their signature,
/// then from the start.
struct TrailerParts {
  /// The limits for the number of parts and the number of bytes that are compared with zero, so that malicious files
  /// don't take too long to read.
  private static let zeroLimit: Int64 = 64 << 20
  private static let partLimit = 64

  var rest: Range<Int64>
  let source: any ByteSource
  private(set) var findings: [PayloadFinding] = []

  mutating func read() throws(ISOMediaError) -> [PayloadFinding] {
    for _ in 0..<Self.partLimit {
      guard try readLastPart() else { break }
    }
    try readFirstPart()
    if try !isZeroPadding() {
      try addTextFinding(in: rest, otherwise: PayloadFinding(kind: "unknown-trailer", disclosure: .opaque))
    }
    return findings
  }

  private mutating func addTextFinding(in range: Range<Int64>, otherwise: PayloadFinding) throws(ISOMediaError) {
    findings.append(TextPositions.examine(Array(try source.fields(in: range).bytes)) ?? otherwise)
  }

  /// Removes a known part from the end of the remaining bytes.
  private mutating func readLastPart() throws(ISOMediaError) -> Bool {
    if let trailer = try Insta360Trailer.examine(rest, in: source) {
      findings += trailer.findings
      rest = rest.lowerBound..<trailer.start
      return true
    }
    let samsung = try SamsungTrailer.examine(rest, in: source)
    if samsung.start < rest.upperBound {
      findings += samsung.findings
      rest = rest.lowerBound..<samsung.start
      return true
    }
    let ape = RecordFields(try source.bytes(at: max(rest.lowerBound, rest.upperBound - 32), count: 32))
    if ape.count == 32, ape.matches("APETAGEX", at: 0), let size = ape.littleEndian(UInt32.self, at: 12),
      let flags = ape.littleEndian(UInt32.self, at: 20)
    {
      // The size includes the items and this footer, but not the header. The highest bit indicates whether there is a
      // header.
      return try readLastTag(byteCount: Int64(size) + (flags >> 31 == 1 ? 32 : 0))
    }
    let id3 = try source.bytes(at: max(rest.lowerBound, rest.upperBound - 128), count: 3)
    guard id3.elementsEqual("TAG".utf8) else { return false }
    return try readLastTag(byteCount: 128)
  }

  /// Reads an audio tag (ID3 or APE), which contains text and possibly an image.
  private mutating func readLastTag(byteCount: Int64) throws(ISOMediaError) -> Bool {
    guard byteCount >= 32, byteCount <= rest.upperBound - rest.lowerBound else { return false }
    let start = rest.upperBound - byteCount
    try addTextFinding(in: start..<rest.upperBound, otherwise: PayloadFinding(kind: "music-tag", disclosure: .harmless))
    rest = rest.lowerBound..<start
    return true
  }

  private mutating func readFirstPart() throws(ISOMediaError) {
    let start = try source.fields(in: rest, atMost: 64)
    if start.offset(of: "LIGOGPSINFO") != nil {
      findings.append(.location("ligogps"))
      rest = rest.upperBound..<rest.upperBound
    } else if ["gpsa", "gps0", "gsen", "gsea"].contains(where: { start.matches($0, at: 0) }) {
      let trailer = try RIFFTrailer.examine(rest, in: source)
      findings += trailer.findings
      rest = trailer.end..<rest.upperBound
    } else if start.matches("ID3", at: 0) {
      // The size is stored in four groups of seven bits, and excludes the 10-byte header.
      let size = (6..<10).reduce(Int64(0)) { $0 << 7 + Int64(start.byte(at: $1) ?? 0) } + 10
      let end = min(rest.lowerBound + size, rest.upperBound)
      try addTextFinding(in: rest.lowerBound..<end, otherwise: PayloadFinding(kind: "music-tag", disclosure: .harmless))
      rest = end..<rest.upperBound
    }
  }

  /// Whether the remaining bytes are padding.
  private func isZeroPadding() throws(ISOMediaError) -> Bool {
    guard rest.upperBound - rest.lowerBound <= Self.zeroLimit else { return false }
    var offset = rest.lowerBound
    while offset < rest.upperBound {
      let bytes = try source.bytes(at: offset, count: Int(min(65_536, rest.upperBound - offset)))
      guard !bytes.isEmpty else { return true }
      if !bytes.allSatisfy({ $0 == 0 }) { return false }
      offset += Int64(bytes.count)
    }
    return true
  }
}
