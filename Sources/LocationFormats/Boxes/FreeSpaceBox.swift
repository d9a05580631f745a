internal import ISOMedia

/// Recognizes camera data that is stored in free space.
enum FreeSpaceBox {
  private static let blackVue: Set<FourCC> = ["cprt", "sttm", "ptnm", "ptrh", "thum", "gps ", "3gf "]
  private static let canon: Set<FourCC> = ["CNDB", "CNCV", "CNMN", "CNFV", "CNTH", "CNDM"]

  /// Checks a free-space box for camera data.
  /// - Returns: the finding; `nil` if the box doesn't contain a known block.
  static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    let start = try source.fields(in: box.payload, atMost: 4096)
    // The size and the first half of the name of a `freeGPS ` block look like the header of a `free` box.
    if start.matches("GPS ", at: 0), box.type == "free", box.headerSize == 8 {
      return FreeGPS.examine(try source.fields(in: box.range, atMost: FreeGPS.readLimit).bytes)
    }
    // The values are encrypted with an unpublished cipher.
    if start.offset(of: "LIGOGPSINFO") != nil { return .location("ligogps") }
    guard let first = start.fourCC(at: 4) else { return nil }
    if first == "Seri" { return PayloadFinding(kind: "kodak-serial", disclosure: .identity) }
    if blackVue.contains(first) { return try examineBlackVueBlock(box, in: source) }
    if canon.contains(first) {
      return try MakerBoxes.findTextPositions(in: box, of: source)
        ?? PayloadFinding(kind: "canon-skip", disclosure: .identity)
    }
    return nil
  }

  /// Checks a BlackVue (Pittasoft) block: NMEA sentences in `gps `, acceleration in `3gf `, and the file name with the
  /// date in `ptnm`.
  private static func examineBlackVueBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError)
    -> PayloadFinding
  {
    let children = try MakerBoxes.readChildren(of: box, in: source)
    if let log = children.first(where: { $0.type == "gps " }), let found = try DashCamBoxes.examine(log, in: source) {
      return found
    }
    if let found = try MakerBoxes.findTextPositions(in: box, of: source) { return found }
    if children.contains(where: { $0.type == "3gf " }) {
      return PayloadFinding(kind: "blackvue-3gf", disclosure: .motion)
    }
    let hasDate = children.contains { $0.type == "ptnm" || $0.type == "sttm" }
    return PayloadFinding(kind: "blackvue-free", disclosure: hasDate ? .date : .harmless)
  }
}
