internal import ClipModel
internal import ISOMedia

/// Boxes of dash and action cameras with a log of positions: records of one size, one behind the other.
enum DashCamBoxes {
  /// - Returns: `nil` when it is none of them.
  static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.type {
    case "3gf ": PayloadFinding(kind: "dashcam-gsensor", disclosure: .motion)
    case "gps ": try gps(box, in: source)
    case "udat": location("gps-log", try sentences(box, in: source))
    case "TTAD": location("tomtom-ttad", TomTomRecords.trace(in: try source.fields(in: box.payload, atMost: 4 << 20)))
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
    case "GPS ": location("70mai-gps", try source.positions(in: payload, recordSize: 36, mai))
    case "gps0": try gps0(payload, in: source)
    case "gpsa": location("dudubell-gps", PositionTrace())
    case "gsen", "gsea": PayloadFinding(kind: "dashcam-gsensor", disclosure: .motion)
    default: nil
    }
  }

  static func location(_ kind: String, _ trace: PositionTrace) -> PayloadFinding {
    PayloadFinding(kind: kind, disclosure: .location, trace: trace)
  }

  /// 70mai: little-endian; at 16 the hemisphere and the latitude, at 21 the other and the longitude, DDDMM.MMM × 1000.
  private static func mai(_ record: RecordFields) -> GeoPosition? {
    guard let north = record.northSouth(at: 16), let latitude = record.little(UInt32.self, at: 17),
      let east = record.eastWest(at: 21), let longitude = record.little(UInt32.self, at: 22)
    else { return nil }
    return GeoPosition(degreesMinutes: Double(latitude) / 1e3, north, Double(longitude) / 1e3, east)
  }

  /// DuDuBell, VSYS: two signed numbers DDDMM.MMMM in records of 32 bytes. Lamax: blocks of 311 bytes under a cipher.
  /// Auto-Vox: records of 40 bytes with a name.
  private static func gps0(
    _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding {
    let start = try source.fields(in: payload, atMost: 64)
    if start.has("AITG", at: 0) {
      return location("autovox-gps", try source.positions(in: payload, recordSize: 40, autoVox))
    }
    if EncipheredText.isAmbarella(start) {
      let trace = try source.positions(in: payload, recordSize: 311) { EncipheredText.ambarellaPosition(in: $0) }
      return location("lamax-gps0", trace)
    }
    let trace = try source.positions(in: payload, recordSize: 32) { record in
      guard let latitude = record.double(at: 0), let longitude = record.double(at: 8) else { return nil }
      return GeoPosition(degreesMinutes: latitude, longitude)
    }
    return location("dudubell-gps", trace)
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
      return location("blackvue-gps", try sentences(box, in: source))
    }
    if start.has("][", at: 13) || start.has("[", at: 12) {
      return location("denver-gps", try brackets(box, in: source))
    }
    var trace = PositionTrace()
    var budget = FreeGPSTable.readBudget
    for range in try FreeGPSTable.blocks(of: box, in: source) where budget > 0 {
      let block = try source.fields(in: range, atMost: FreeGPS.readLimit)
      budget -= max(block.count, 64)
      if let found = FreeGPS.examine(block.bytes) { trace.add(found.trace) }
    }
    return location(FreeGPS.kind, trace)
  }

  /// Denver: lines of a date and `[1][N][48104587][E][011327743]`, degrees and ten-thousandths of a minute.
  private static func brackets(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PositionTrace {
    let text = try source.fields(in: box.payload, atMost: 4 << 20)
    var trace = PositionTrace()
    for start in 0..<text.count where text.byte(at: start) == UInt8(ascii: "[") {
      guard let north = text.northSouth(at: start + 1), text.has("][", at: start + 2),
        let latitude = text.digits(at: start + 4, count: 8), text.has("][", at: start + 12),
        let east = text.eastWest(at: start + 14), text.has("][", at: start + 15),
        let longitude = text.digits(at: start + 17, count: 9),
        let position = GeoPosition(degreesMinutes: Double(latitude) / 1e4, north, Double(longitude) / 1e4, east)
      else { continue }
      trace.add(position)
    }
    return trace
  }

  private static func sentences(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PositionTrace {
    let text = try source.fields(in: box.payload, atMost: 4 << 20)
    return TextPositions.examine(Array(text.bytes))?.trace ?? PositionTrace()
  }

  /// Kenwood: behind `VIDEOUUU…`, blocks after `FE FE` with two dates and `N47377053W122099014`, DDDMM.MMMM.
  private static func kenwood(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    guard try source.fields(in: box.payload, atMost: 27).has("VIDEOUUUUUUUUUUUUUUUUUUUUUU", at: 0) else { return nil }
    let text = try source.fields(in: box.payload, atMost: 4 << 20)
    var trace = PositionTrace()
    for start in 0..<text.count where text.byte(at: start) == 0xFE {
      guard text.byte(at: start + 1) == 0xFE, text.digits(at: start + 2, count: 14) != nil,
        text.digits(at: start + 17, count: 14) != nil,
        let north = text.northSouth(at: start + 32), let latitude = text.digits(at: start + 33, count: 8),
        let east = text.eastWest(at: start + 41), let longitude = text.digits(at: start + 42, count: 9),
        let position = GeoPosition(degreesMinutes: Double(latitude) / 1e4, north, Double(longitude) / 1e4, east)
      else { continue }
      trace.add(position)
    }
    return location("kenwood-udta", trace)
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
      let trace = try source.positions(in: box.payloadRange(skipping: 17), recordSize: 20) { record in
        guard let latitude = record.big(Int32.self, at: 12), let longitude = record.big(Int32.self, at: 16) else {
          return nil
        }
        return GeoPosition(semicircles: latitude, longitude)
      }
      return location("garmin-gps", trace)
    case fly360:
      // Records of 32 bytes of all sensors; type 5 has degrees at 10 and 14, big-endian.
      let trace = try source.positions(in: box.payload, recordSize: 32) { record in
        guard record.byte(at: 0) == 5 else { return nil }
        return bigFloats(record, at: 10)
      }
      return location("360fly", trace)
    case flir:
      let fields = try source.fields(in: box.payload, atMost: 64)
      return DashCamRecords.location("flir-gps", [bigFloats(fields, at: 4)])
    default: return nil
    }
  }

  /// Latitude and longitude in degrees as two big-endian IEEE 754 numbers.
  private static func bigFloats(_ record: RecordFields, at offset: Int) -> GeoPosition? {
    guard let latitude = record.big(UInt32.self, at: offset), let longitude = record.big(UInt32.self, at: offset + 4)
    else { return nil }
    return GeoPosition(
      latitude: Double(Float(bitPattern: latitude)), longitude: Double(Float(bitPattern: longitude)))
  }
}
