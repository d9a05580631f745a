internal import ClipModel
internal import ISOMedia

/// Reads position logs, which consist of consecutive fixed-size records, from the boxes of dash cams and action
/// cameras.
enum DashCamBoxes {
  /// The maximum size of a text log in bytes.
  private static let textLimit = 4 << 20

  /// Checks a box for a position log.
  /// - Returns: the finding; `nil` for other boxes.
  static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.type {
    case "3gf ": PayloadFinding(kind: "dashcam-gsensor", disclosure: .motion)
    case "gps ": try examineGPSBox(box, in: source)
    case "udat": .location("gps-log", try readSentences(box, in: source))
    case "TTAD":
      .location("tomtom-ttad", TomTomRecords.readTrace(in: try source.fields(in: box.payload, atMost: textLimit)))
    case "udta": try examineKenwoodBox(box, in: source)
    case "uuid": try examineUUIDBox(box, in: source)
    default: try examineLog(box.type, box.payload, in: source)
    }
  }

  /// Checks log formats that also occur in AVI chunks and after a file's last box.
  static func examineLog(
    _ type: FourCC, _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding? {
    switch type {
    case "GPS ":
      // In 70mai logs, a hemisphere letter and the latitude are at offset 16, and a letter and the longitude are at
      // offset 21.
      .location(
        "70mai-gps",
        try source.positions(in: payload, recordSize: 36) { $0.position(.thousandths, at: 17, 22, letters: (16, 21)) })
    case "gps0": try examineGPS0Log(payload, in: source)
    case "gpsa": .location("dudubell-gps")
    case "gsen", "gsea": PayloadFinding(kind: "dashcam-gsensor", disclosure: .motion)
    default: nil
    }
  }

  /// Checks a `gps0` log: DuDuBell and VSYS store two signed DDDMM.MMMM numbers in 32-byte records, Lamax obfuscated
  /// 311-byte blocks, and Auto-Vox named 40-byte records.
  private static func examineGPS0Log(
    _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding {
    let start = try source.fields(in: payload, atMost: 64)
    if start.matches("AITG", at: 0) {
      return .location("autovox-gps", try source.positions(in: payload, recordSize: 40, readAutoVoxPosition))
    }
    if ObfuscatedText.isAmbarellaBlock(start) {
      let trace = try source.positions(in: payload, recordSize: 311) { ObfuscatedText.readAmbarellaPosition(in: $0) }
      return .location("lamax-gps0", trace)
    }
    return .location(
      "dudubell-gps", try source.positions(in: payload, recordSize: 32) { $0.position(.double, at: 0, 8) })
  }

  /// Reads an Auto-Vox record: `AITG`, DDDMM.MMMM numbers at offsets 4 and 12, and the hemispheres at offsets 33 and
  /// 34, where 2 means south or west.
  private static func readAutoVoxPosition(_ record: RecordFields) -> GeoPosition? {
    guard record.matches("AITG", at: 0), let latitude = record.double(at: 4), let longitude = record.double(at: 12)
    else {
      return nil
    }
    return GeoPosition(
      degreesMinutes: latitude * (record.byte(at: 33) == 2 ? -1 : 1),
      longitude * (record.byte(at: 34) == 2 ? -1 : 1))
  }

  /// Checks a `gps ` box, which contains NMEA sentences in BlackVue files and a table of `freeGPS ` blocks in Novatek
  /// files.
  private static func examineGPSBox(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    let start = try source.fields(in: box.payload, atMost: 64)
    if start.offset(of: "$G") != nil || start.matches("[", at: 0) {
      return .location("blackvue-gps", try readSentences(box, in: source))
    }
    if start.matches("][", at: 13) || start.matches("[", at: 12) {
      return .location("denver-gps", try readBracketedPositions(box, in: source))
    }
    var trace = PositionTrace()
    var budget = FreeGPSTable.readBudget
    for range in try FreeGPSTable.readBlockRanges(of: box, in: source) where budget > 0 {
      let block = try source.fields(in: range, atMost: FreeGPS.readLimit)
      budget -= max(block.count, 64)
      if let found = FreeGPS.examine(block.bytes) { trace.add(found.trace) }
    }
    return .location(FreeGPS.kind, trace)
  }

  /// Reads a Denver log: lines with a date and `[1][N][48104587][E][011327743]`, where the numbers are degrees and
  /// ten-thousandths of a minute.
  private static func readBracketedPositions(_ box: Box, in source: any ByteSource) throws(ISOMediaError)
    -> PositionTrace
  {
    let text = try source.fields(in: box.payload, atMost: textLimit)
    let starts = (0..<text.count).filter { start in
      text.byte(at: start) == UInt8(ascii: "[") && [2, 12, 15].allSatisfy { text.matches("][", at: start + $0) }
    }
    return PositionTrace(starts.map { text.position(.digits, at: $0 + 4, $0 + 17, letters: ($0 + 1, $0 + 14)) })
  }

  private static func readSentences(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PositionTrace {
    let text = try source.fields(in: box.payload, atMost: textLimit)
    return TextPositions.examine(Array(text.bytes))?.trace ?? []
  }

  /// Checks a Kenwood box: `VIDEOUUU…`, followed by blocks with `FE FE`, two dates, and a position such as
  /// `N47377053W122099014` (DDDMM.MMMM).
  private static func examineKenwoodBox(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding?
  {
    guard try source.fields(in: box.payload, atMost: 27).matches("VIDEOUUUUUUUUUUUUUUUUUUUUUU", at: 0) else {
      return nil
    }
    let text = try source.fields(in: box.payload, atMost: textLimit)
    let starts = (0..<text.count).filter { start in
      text.byte(at: start) == 0xFE && text.byte(at: start + 1) == 0xFE
        && text.digits(at: start + 2, count: 14) != nil && text.digits(at: start + 17, count: 14) != nil
    }
    let positions = starts.map { text.position(.digits, at: $0 + 33, $0 + 42, letters: ($0 + 32, $0 + 41)) }
    return .location("kenwood-udta", PositionTrace(positions))
  }

  private static let garmin = [UInt8](hexadecimal: "9B630F8D-6374-40EC-8204-BC5FF5091728")
  private static let fly360 = [UInt8](hexadecimal: "EFE1589A-BB77-49EF-8095-27759EB1DC6F")
  private static let flir = [UInt8](hexadecimal: "7F2E2100-8B46-4918-AFB1-DE709A74F6F5")

  private static func examineUUIDBox(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.userType {
    case garmin:
      // The box has a 17-byte header, followed by 20-byte records.
      return .location(
        "garmin-gps",
        try source.positions(in: box.payload(skipping: 17), recordSize: 20) { $0.position(.semicircles, at: 12, 16) })
    case fly360:
      // Each sensor has a record type. Records of type 5 contain positions.
      let trace = try source.positions(in: box.payload, recordSize: 32) { record in
        record.byte(at: 0) == 5 ? record.position(.bigFloatDegrees, at: 10, 14) : nil
      }
      return .location("360fly", trace)
    case flir:
      let fields = try source.fields(in: box.payload, atMost: 64)
      return .location("flir-gps", [fields.position(.bigFloatDegrees, at: 4, 8)])
    default: return nil
    }
  }
}
