internal import ClipModel
internal import ISOMedia

/// Blocks of 32 KB and less with a size, `freeGPS `, and one fix, which dash cams with chips of Novatek and others
/// scatter over the media data, and list in `moov/gps `. A box reader sees them as `free` boxes that begin with `GPS `.
///
/// Every maker has its own structure behind it. Some are under unpublished ciphers; those count as a
/// record of places without positions.
enum FreeGPS {
  static let kind = "novatek-freegps"
  /// Real structures end before; the rest of a block is empty.
  static let readLimit = 4096

  /// - Returns: `nil` when it is no such block.
  static func examine(_ block: some Collection<UInt8>) -> PayloadFinding? {
    let fields = RecordFields(Array(block.prefix(readLimit)))
    guard fields.has("freeGPS ", at: 4) else { return nil }
    return .location(kind, PositionTrace(positions(in: fields)))
  }

  /// Looks for blocks in bytes that no box accounts for.
  static func scan(_ range: Range<Int64>, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    let mark = Array("freeGPS ".utf8)
    var found: PayloadFinding?
    var end = range.lowerBound
    var position = range.lowerBound
    while position < range.upperBound {
      let window = try source.bytes(in: position..<range.upperBound, atMost: scanWindow)
      guard window.count >= mark.count else { break }
      for index in 0...window.count - mark.count where window[index] == mark[0] {
        guard window[index..<index + mark.count].elementsEqual(mark) else { continue }
        // The block's size stands in front of its mark.
        let start = position + Int64(index) - 4
        guard start >= max(range.lowerBound, end),
          let more = examine(try source.bytes(in: start..<range.upperBound, atMost: readLimit))
        else { continue }
        if found == nil { found = more } else { found?.trace.add(more.trace) }
        end = start + smallest
      }
      if window.count < scanWindow { break }
      position += Int64(window.count - mark.count + 1)
    }
    return found
  }

  private static let scanWindow = 1 << 20
  /// Blocks follow each other no closer than this.
  private static let smallest: Int64 = 64

  /// The first structure that fits: those with the most certain marks come first.
  private static func positions(in block: RecordFields) -> [GeoPosition?] {
    if EncipheredText.isAmbarella(block, at: 18) { return [EncipheredText.ambarellaPosition(in: block, at: 18)] }
    if block.has("ATC", at: 0x45) { return FreeGPSRecords.ringBuffer(block) }
    if let clear = FreeGPSRecords.decipheredSentence(block) { return sentences(clear) }
    // Akaso V1, Redtiger: month, day and fix at 64, numbers under an unpublished cipher.
    if block.has("A", at: 72), block.has([0, 0, 0, 0, 0], at: 75) { return [] }
    for layout in FreeGPSLayout.all {
      if let position = layout.position(in: block) { return [position] }
    }
    if let records = FreeGPSRecords.innovv(block) ?? FreeGPSRecords.nextBase(block) { return records }
    return sentences(Array(block.bytes))
  }

  private static func sentences(_ bytes: [UInt8]) -> [GeoPosition?] {
    TextPositions.examine(bytes)?.trace.kept ?? []
  }
}

/// A structure with everything at fixed offsets: `A` for a fix, the hemispheres, latitude and longitude.
struct FreeGPSLayout {
  private let fix: Int
  private let northSouth: Int
  private let eastWest: Int
  private let latitude: Int
  private let longitude: Int
  private let form: PositionForm
  /// Text that has to stand somewhere else too.
  private var mark: (text: String, offset: Int)?

  /// Viofo A119 v3, Kenwood.
  static let viofo = FreeGPSLayout(
    fix: 40, northSouth: 41, eastWest: 42, latitude: 44, longitude: 48, form: .float)
  /// Size, name and size of the content stand in front.
  static let contentOffset = 16

  static let all: [FreeGPSLayout] = [
    viofo,
    // Older cameras of several names.
    FreeGPSLayout(fix: 60, northSouth: 72, eastWest: 88, latitude: 64, longitude: 80, form: .double),
    // Akaso, Anticlock.
    FreeGPSLayout(fix: 60, northSouth: 68, eastWest: 76, latitude: 64, longitude: 72, form: .float),
    // Vantrue S1.
    FreeGPSLayout(fix: 64, northSouth: 65, eastWest: 66, latitude: 96, longitude: 92, form: .float),
    // A7.
    FreeGPSLayout(
      fix: 72, northSouth: 73, eastWest: 74, latitude: 76, longitude: 80, form: .little(unitsPerDegree: 1e7),
      mark: ("IQS", 16)),
    // Novatek's own, as of the Viofo A119S.
    FreeGPSLayout(fix: 72, northSouth: 73, eastWest: 74, latitude: 76, longitude: 80, form: .float),
    // Vantrue N4.
    FreeGPSLayout(fix: 28, northSouth: 40, eastWest: 56, latitude: 32, longitude: 48, form: .double),
  ]

  func position(in block: RecordFields) -> GeoPosition? {
    guard block.has("A", at: fix) else { return nil }
    if let mark, !block.has(mark.text, at: mark.offset) { return nil }
    return block.position(form, at: latitude, longitude, letters: (northSouth, eastWest))
  }
}
