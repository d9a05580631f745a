/// Checks user data in video: SEI messages 4 and 5 in H.264 and HEVC, and ITU-T T.35 metadata in AV1.
enum UserData {
  /// Checks SEI message 5: a UUID, followed by data in a format that the UUID's owner defines.
  static func examineUnregisteredData(_ payload: ArraySlice<UInt8>, search: PositionSearch = .generic) -> PayloadFinding
  {
    let (uuid, content) = (payload.prefix(16), payload.dropFirst(16))
    if uuid.elementsEqual(MDPM.uuid) {
      if content.starts(with: "MDPM".utf8) { return MDPM.makeFinding(content.dropFirst(4)) }
      // Closed captions use the same UUID.
      if content.starts(with: "GA94".utf8) { return makeFinding(in: content, search: search) }
    }
    if sony.contains(where: { uuid.elementsEqual($0) }), content.count <= smallLimit,
      search.examine(Array(content)) == nil
    {
      return PayloadFinding(kind: "sony-avchd-id", disclosure: .identity)
    }
    let isKnown = uuid.elementsEqual(apple) && content.count <= smallLimit || !content.isEmpty && isEncoderText(content)
    return makeFinding(in: content, search: search, otherwise: isKnown ? .harmless : .opaque)
  }

  /// Checks SEI message 4: a country, a provider, and data in a format that the provider defines.
  static func examineRegisteredData(
    _ payload: ArraySlice<UInt8>, kind: String = "sei-registered", search: PositionSearch = .generic
  ) -> PayloadFinding {
    // United States (0xB5): captions (0x0031 for ATSC with active format and bar data, 0x002F for DirecTV), SL-HDR
    // (0x003A), Dolby (0x003B), HDR10+ (0x003C), AV1 film grain (0x5890). China (0x26): HDR Vivid (0x0004).
    let head = payload.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let isKnown = [0xB5_0031, 0xB5_002F, 0xB5_003A, 0xB5_003B, 0xB5_003C, 0xB5_5890, 0x26_0004].contains(head)
    return makeFinding(
      in: payload, kind: kind, search: search, otherwise: isKnown && payload.count > 3 ? .harmless : .opaque)
  }

  /// Sony's AVCHD clips have the identifiers `SRID`, `CLID` (12 bytes) and `IMID`.
  private static let sony = [
    [UInt8](hexadecimal: "A74602BB-F8A1-4CC0-A936-48E391DCE761"),
    [UInt8](hexadecimal: "DBA1ADEF-B20C-40B4-8C85-8C0B46D5241E"),
  ]
  /// Apple's encoder writes about 20 bytes with a clock and exposure measurements, in every frame or only in the first.
  private static let apple = [UInt8](hexadecimal: "47564ADC-5C4C-433F-94EF-C5113CD143A8")
  /// The maximum size in bytes of known messages. All known Sony and Apple messages are smaller.
  private static let smallLimit = 64

  private static func makeFinding(
    in content: ArraySlice<UInt8>, kind: String = "sei-unregistered", search: PositionSearch,
    otherwise: PayloadFinding.Disclosure = .harmless
  ) -> PayloadFinding {
    var finding = search.examine(Array(content)) ?? PayloadFinding(kind: kind, disclosure: otherwise)
    finding.kind = kind
    return finding
  }

  /// Whether the data contains the settings of an encoder: x264, x265, libde265, Ateme or NVENC.
  private static func isEncoderText(_ content: ArraySlice<UInt8>) -> Bool {
    let end = content.lastIndex { $0 != 0 } ?? content.startIndex
    return content[...end].allSatisfy { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
  }
}
