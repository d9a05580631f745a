internal import ClipModel
internal import ISOMedia

/// Boxes of dash and action cameras with a log of positions: records of one size, one behind the other.
enum DashCamBoxes {
  /// - Returns: `nil` when it is none of them.
  static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.type {
    case "3gf ": PayloadFinding(kind: "dashcam-gsensor", disclosure: .motion)
    case "gps ": try gps(box, in: source)
    case "udat": .location("gps-log", try sentences(box, in: source))
    case "TTAD": .location("tomtom-ttad", TomTomRecords.trace(in: try source.fields(in: box.payload, atMost: 4 << 20)))
    case "udta": try kenwood(box, in: source)
    case "uuid": try uuid(box, in: source)
    default: try examineLog(box.type, box.payload, in: source)
    }
  }

  /// Logs that stand as chunks in AVI files and behind the last box too.
  static func examineLog(
    _ type: FourCC, _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding? {
    switch type {
    case "GPS ":
      // 70mai: at 16 the hemisphere and the latitude, at 21 the other and the longitude.
      .location(
        "70mai-gps",
        try source.positions(in: payload, recordSize: 36) { $0.position(.thousandths, at: 17, 22, letters: (16, 21)) })
    case "gps0": try gps0(payload, in: source)
    case "gpsa": .location("dudubell-gps")
    case "gsen", "gsea": PayloadFinding(kind: "dashcam-gsensor", disclosure: .motion)
    default: nil
    }
  }

  /// DuDuBell, VSYS: two signed numbers DDDMM.MMMM in records of 32 bytes. Lamax: blocks of 311 bytes under a cipher.
  /// Auto-Vox: records of 40 bytes with a name.
  private static func gps0(
    _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding {
    let start = try source.fields(in: payload, atMost: 64)
    if start.has("AITG", at: 0) {
      return .location("autovox-gps", try source.positions(in: payload, recordSize: 40, autoVox))
    }
    if EncipheredText.isAmbarella(start) {
      let trace = try source.positions(in: payload, recordSize: 311) { EncipheredText.ambarellaPosition(in: $0) }
      return .location("lamax-gps0", trace)
    }
    return .location(
      "dudubell-gps", try source.positions(in: payload, recordSize: 32) { $0.position(.double, at: 0, 8) })
  }

  /// `AITG`, then DDDMM.MMMM at 4 and 12; at 33 and 34 the hemispheres: 2 for south and for west.
  private static func autoVox(_ record: RecordFields) -> GeoPosition? {
    guard record.has("AITG", at: 0), let latitude = record.double(at: 4), let longitude = record.double(at: 12) else {
      return nil
    }
    return GeoPosition(
      degreesMinutes: latitude * (record.byte(at: 33) == 2 ? -1 : 1),
      longitude * (record.byte(at: 34) == 2 ? -1 : 1))
  }

  /// A receiver's sentences in BlackVue's files, a table of blocks elsewhere in Novatek's.
  private static func gps(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    let start = try source.fields(in: box.payload, atMost: 64)
    if start.offset(of: "$G") != nil || start.has("[", at: 0) {
      return .location("blackvue-gps", try sentences(box, in: source))
    }
    if start.has("][", at: 13) || start.has("[", at: 12) {
      return .location("denver-gps", try brackets(box, in: source))
    }
    var trace = PositionTrace()
    var budget = FreeGPSTable.readBudget
    for range in try FreeGPSTable.blocks(of: box, in: source) where budget > 0 {
      let block = try source.fields(in: range, atMost: FreeGPS.readLimit)
      budget -= max(block.count, 64)
      if let found = FreeGPS.examine(block.bytes) { trace.add(found.trace) }
    }
    return .location(FreeGPS.kind, trace)
  }

  /// Denver: lines of a date and `[1][N][48104587][E][011327743]`, degrees and ten-thousandths of a minute.
  private static func brackets(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PositionTrace {
    let text = try source.fields(in: box.payload, atMost: 4 << 20)
    var trace = PositionTrace()
    for start in 0..<text.count where text.byte(at: start) == UInt8(ascii: "[") {
      guard [2, 12, 15].allSatisfy({ text.has("][", at: start + $0) }) else { continue }
      trace.add(text.position(.digits, at: start + 4, start + 17, letters: (start + 1, start + 14)))
    }
    return trace
  }

  private static func sentences(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PositionTrace {
    let text = try source.fields(in: box.payload, atMost: 4 << 20)
    return TextPositions.examine(Array(text.bytes))?.trace ?? []
  }

  /// Kenwood: behind `VIDEOUUU…`, blocks after `FE FE` with two dates and `N47377053W122099014`, DDDMM.MMMM.
  private static func kenwood(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    guard try source.fields(in: box.payload, atMost: 27).has("VIDEOUUUUUUUUUUUUUUUUUUUUUU", at: 0) else { return nil }
    let text = try source.fields(in: box.payload, atMost: 4 << 20)
    var trace = PositionTrace()
    for start in 0..<text.count where text.byte(at: start) == 0xFE {
      guard text.byte(at: start + 1) == 0xFE, text.digits(at: start + 2, count: 14) != nil,
        text.digits(at: start + 17, count: 14) != nil
      else { continue }
      trace.add(text.position(.digits, at: start + 33, start + 42, letters: (start + 32, start + 41)))
    }
    return .location("kenwood-udta", trace)
  }

  private static let garmin: [UInt8] = [
    0x9B, 0x63, 0x0F, 0x8D, 0x63, 0x74, 0x40, 0xEC, 0x82, 0x04, 0xBC, 0x5F, 0xF5, 0x09, 0x17, 0x28,
  ]
  private static let fly360: [UInt8] = [
    0xEF, 0xE1, 0x58, 0x9A, 0xBB, 0x77, 0x49, 0xEF, 0x80, 0x95, 0x27, 0x75, 0x9E, 0xB1, 0xDC, 0x6F,
  ]
  private static let flir: [UInt8] = [
    0x7F, 0x2E, 0x21, 0x00, 0x8B, 0x46, 0x49, 0x18, 0xAF, 0xB1, 0xDE, 0x70, 0x9A, 0x74, 0xF6, 0xF5,
  ]

  private static func uuid(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.userType {
    case garmin:
      // A header of 17 bytes, then records of 20: at 12 latitude and longitude, big-endian.
      return .location(
        "garmin-gps",
        try source.positions(in: box.payload(skipping: 17), recordSize: 20) { $0.position(.semicircles, at: 12, 16) })
    case fly360:
      // Records of 32 bytes of all sensors; type 5 has degrees at 10 and 14, big-endian.
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
