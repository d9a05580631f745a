/// What user data inside a picture tells (SEI messages 4 and 5 of H.264 and HEVC, ITU-T T.35 metadata of AV1).
enum UserData {
  /// Message 5: a UUID, and what its owner likes.
  static func unregistered(_ payload: ArraySlice<UInt8>, search: PositionSearch = .blind) -> PayloadFinding {
    let (uuid, content) = (payload.prefix(16), payload.dropFirst(16))
    if uuid.elementsEqual(MDPM.uuid) {
      if content.starts(with: "MDPM".utf8) { return MDPM.finding(content.dropFirst(4)) }
      // Closed captions have the same owner.
      if content.starts(with: "GA94".utf8) { return plain(content, search: search) }
    }
    if sony.contains(where: { uuid.elementsEqual($0) }), content.count <= smallLimit,
      search.examine(Array(content)) == nil
    {
      return PayloadFinding(kind: "sony-avchd-id", disclosure: .identity)
    }
    let isKnown = uuid.elementsEqual(apple) && content.count <= smallLimit || !content.isEmpty && isText(content)
    return plain(content, search: search, otherwise: isKnown ? .harmless : .opaque)
  }

  /// Message 4: a country, a provider, and what the provider likes.
  static func registered(
    _ payload: ArraySlice<UInt8>, kind: String = "sei-registered", search: PositionSearch = .blind
  ) -> PayloadFinding {
    // United States 0xB5: captions (0x0031 of ATSC with active format and bar data, 0x002F of DirecTV), SL-HDR
    // (0x003A), Dolby (0x003B), HDR10+ (0x003C), AV1's film grain (0x5890). China 0x26: HDR Vivid (0x0004).
    let head = payload.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let isKnown = [0xB5_0031, 0xB5_002F, 0xB5_003A, 0xB5_003B, 0xB5_003C, 0xB5_5890, 0x26_0004].contains(head)
    return plain(payload, kind: kind, search: search, otherwise: isKnown && payload.count > 3 ? .harmless : .opaque)
  }

  /// Identifiers of Sony's AVCHD clips: `SRID`, `CLID` of 12 bytes, `IMID`.
  private static let sony: [[UInt8]] = [
    [0xA7, 0x46, 0x02, 0xBB, 0xF8, 0xA1, 0x4C, 0xC0, 0xA9, 0x36, 0x48, 0xE3, 0x91, 0xDC, 0xE7, 0x61],
    [0xDB, 0xA1, 0xAD, 0xEF, 0xB2, 0x0C, 0x40, 0xB4, 0x8C, 0x85, 0x8C, 0x0B, 0x46, 0xD5, 0x24, 0x1E],
  ]
  /// Apple's encoder: a clock and measures of exposure, some 20 bytes with every picture or the first.
  private static let apple: [UInt8] = [
    0x47, 0x56, 0x4A, 0xDC, 0x5C, 0x4C, 0x43, 0x3F, 0x94, 0xEF, 0xC5, 0x11, 0x3C, 0xD1, 0x43, 0xA8,
  ]
  /// What is known of those two is small.
  private static let smallLimit = 64

  private static func plain(
    _ content: ArraySlice<UInt8>, kind: String = "sei-unregistered", search: PositionSearch,
    otherwise: PayloadFinding.Disclosure = .harmless
  ) -> PayloadFinding {
    var finding = search.examine(Array(content)) ?? PayloadFinding(kind: kind, disclosure: otherwise)
    finding.kind = kind
    return finding
  }

  /// The settings of an encoder: x264, x265, libde265, Ateme, NVENC.
  private static func isText(_ content: ArraySlice<UInt8>) -> Bool {
    let end = content.lastIndex { $0 != 0 } ?? content.startIndex
    return content[...end].allSatisfy { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
  }
}

extension PayloadFinding {
  /// One finding for both: it has the kind of the one that tells more of the place.
  func merged(with other: PayloadFinding) -> PayloadFinding {
    let order: [Disclosure] = [.harmless, .motion, .date, .identity, .opaque, .location]
    let isFirst = (order.firstIndex(of: disclosure) ?? 0) >= (order.firstIndex(of: other.disclosure) ?? 0)
    var merged = isFirst ? self : other
    merged.trace = trace
    merged.trace.add(other.trace)
    return merged
  }
}
