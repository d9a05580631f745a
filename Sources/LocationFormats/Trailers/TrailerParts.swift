internal import ISOMedia

/// Takes what stands behind the last box apart: from its end, where most makers put their mark, then from its start.
struct TrailerParts {
  /// Bytes compared with zero in all, and parts: hostile files have no end of them.
  private static let zeroLimit: Int64 = 64 << 20
  private static let partLimit = 64

  var rest: Range<Int64>
  let source: any ByteSource
  private(set) var findings: [PayloadFinding] = []

  mutating func read() throws(ISOMediaError) -> [PayloadFinding] {
    for _ in 0..<Self.partLimit {
      guard try takeEnd() else { break }
    }
    try takeStart()
    if try !isZero() {
      let text = TextPositions.examine(Array(try source.fields(in: rest).bytes))
      findings.append(text ?? PayloadFinding(kind: "unknown-trailer", disclosure: .opaque))
    }
    return findings
  }

  /// Takes one part off the end.
  private mutating func takeEnd() throws(ISOMediaError) -> Bool {
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
    if ape.count == 32, ape.has("APETAGEX", at: 0), let size = ape.little(UInt32.self, at: 12),
      let flags = ape.little(UInt32.self, at: 20)
    {
      // The size counts the items and this footer, but not the header that the highest bit announces.
      return try takeTag(byteCount: Int64(size) + (flags >> 31 == 1 ? 32 : 0))
    }
    let id3 = try source.bytes(at: max(rest.lowerBound, rest.upperBound - 128), count: 3)
    if rest.upperBound - rest.lowerBound >= 128, id3.elementsEqual("TAG".utf8) { return try takeTag(byteCount: 128) }
    return false
  }

  /// Tags of music players: text, with a picture perhaps.
  private mutating func takeTag(byteCount: Int64) throws(ISOMediaError) -> Bool {
    guard byteCount >= 32, byteCount <= rest.upperBound - rest.lowerBound else { return false }
    let start = rest.upperBound - byteCount
    let text = TextPositions.examine(Array(try source.fields(in: start..<rest.upperBound).bytes))
    findings.append(text ?? PayloadFinding(kind: "music-tag", disclosure: .harmless))
    rest = rest.lowerBound..<start
    return true
  }

  private mutating func takeStart() throws(ISOMediaError) {
    let start = try source.fields(in: rest, atMost: 64)
    if start.offset(of: "LIGOGPSINFO") != nil {
      findings.append(.location("ligogps"))
      rest = rest.upperBound..<rest.upperBound
    } else if ["gpsa", "gps0", "gsen", "gsea"].contains(where: { start.has($0, at: 0) }) {
      let trailer = try RIFFTrailer.examine(rest, in: source)
      findings += trailer.findings
      rest = trailer.end..<rest.upperBound
    } else if start.has("ID3", at: 0) {
      // Four times seven bits, without the header of ten bytes.
      let size = (6..<10).reduce(Int64(10)) { sum, index in
        sum + Int64(start.byte(at: index) ?? 0) << Int64(7 * (9 - index))
      }
      let end = min(rest.lowerBound + size, rest.upperBound)
      let text = TextPositions.examine(Array(try source.fields(in: rest.lowerBound..<end).bytes))
      findings.append(text ?? PayloadFinding(kind: "music-tag", disclosure: .harmless))
      rest = end..<rest.upperBound
    }
  }

  /// Padding discloses nothing.
  private func isZero() throws(ISOMediaError) -> Bool {
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
