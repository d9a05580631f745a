internal import ClipModel
internal import ISOMedia

/// Reads `freeGPS ` blocks, which have up to 32 KB and contain a size, the name and one GPS fix. Dash cams with chips
/// from Novatek and other makers scatter these blocks across the media data and list them in `moov/gps `. To a box
/// reader, a block looks like a `free` box whose content starts with `GPS `.
///
/// Each maker uses a different structure. Structures that are encrypted with an unpublished cipher are reported as
/// location data without positions.
enum FreeGPS {
  static let kind = "novatek-freegps"
  /// The number of bytes to read per block. All known structures are smaller, and the rest of a block is empty.
  static let readLimit = 4096

  /// Checks bytes for a `freeGPS ` block.
  /// - Returns: the finding; `nil` if the bytes are not such a block.
  static func examine(_ block: some Collection<UInt8>) -> PayloadFinding? {
    let fields = RecordFields(Array(block.prefix(readLimit)))
    guard fields.matches("freeGPS ", at: 4) else { return nil }
    return .location(kind, PositionTrace(readPositions(in: fields)))
  }

  /// Searches for `freeGPS ` blocks in bytes that don't belong to any box.
  static func scanForBlocks(_ range: Range<Int64>, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    let mark = Array("freeGPS ".utf8)
    var found: PayloadFinding?
    var end = range.lowerBound
    var position = range.lowerBound
    while position < range.upperBound {
      let window = try source.bytes(in: position..<range.upperBound, atMost: scanWindow)
      guard window.count >= mark.count else { break }
      for index in 0...window.count - mark.count where window[index] == mark[0] {
        guard window[index..<index + mark.count].elementsEqual(mark) else { continue }
        // The four bytes before the name are the block size.
        let start = position + Int64(index) - 4
        guard start >= max(range.lowerBound, end),
          let more = examine(try source.bytes(in: start..<range.upperBound, atMost: readLimit))
        else { continue }
        found.merge(more)
        end = start + smallest
      }
      if window.count < scanWindow { break }
      position += Int64(window.count - mark.count + 1)
    }
    return found
  }

  private static let scanWindow = 1 << 20
  /// The minimum distance between two blocks, in bytes.
  private static let smallest: Int64 = 64

  /// Tries the known structures in order, starting with those that have the most distinctive signatures.
  private static func readPositions(in block: RecordFields) -> [GeoPosition?] {
    if ObfuscatedText.isAmbarellaBlock(block, at: 18) {
      return [ObfuscatedText.readAmbarellaPosition(in: block, at: 18)]
    }
    if block.matches("ATC", at: 0x45) { return FreeGPSRecords.readRingBuffer(block) }
    if let text = FreeGPSRecords.decodeShiftedSentence(block) { return readSentences(text) }
    // Akaso V1 and Redtiger cameras store the month, day and fix at offset 64. The values are encrypted with an
    // unpublished cipher.
    if block.matches("A", at: 72), block.matches([0, 0, 0, 0, 0], at: 75) { return [] }
    for layout in FreeGPSLayout.all {
      if let position = layout.position(in: block) { return [position] }
    }
    return FreeGPSRecords.readINNOVVRecords(block) ?? FreeGPSRecords.readNextBaseRecords(block)
      ?? readSentences(Array(block.bytes))
  }

  private static func readSentences(_ bytes: [UInt8]) -> [GeoPosition?] {
    TextPositions.examine(bytes)?.trace.kept ?? []
  }
}

/// A structure with all values at fixed offsets: an `A` if there is a fix, the hemispheres, the latitude and the
/// longitude.
struct FreeGPSLayout {
  var fix: Int
  var letters: (north: Int, east: Int)
  var latitude: Int
  var longitude: Int
  var encoding = CoordinateEncoding.float
  /// An additional signature that identifies the structure.
  var mark: (text: String, offset: Int)?

  /// The structure in Viofo A119 v3 and Kenwood cameras.
  static let viofo = FreeGPSLayout(fix: 40, letters: (41, 42), latitude: 44, longitude: 48)
  /// The size in bytes of the header before the structure: block size, name, and content size.
  static let contentOffset = 16

  static let all: [FreeGPSLayout] = [
    viofo,
    // This structure is common in older cameras of several brands.
    FreeGPSLayout(fix: 60, letters: (72, 88), latitude: 64, longitude: 80, encoding: .double),
    // Akaso, Anticlock.
    FreeGPSLayout(fix: 60, letters: (68, 76), latitude: 64, longitude: 72),
    // Vantrue S1.
    FreeGPSLayout(fix: 64, letters: (65, 66), latitude: 96, longitude: 92),
    // A7.
    FreeGPSLayout(
      fix: 72, letters: (73, 74), latitude: 76, longitude: 80, encoding: .littleEndian(unitsPerDegree: 1e7),
      mark: ("IQS", 16)),
    // This is Novatek's reference structure, as used by the Viofo A119S.
    FreeGPSLayout(fix: 72, letters: (73, 74), latitude: 76, longitude: 80),
    // Vantrue N4.
    FreeGPSLayout(fix: 28, letters: (40, 56), latitude: 32, longitude: 48, encoding: .double),
  ]

  func position(in block: RecordFields) -> GeoPosition? {
    guard block.matches("A", at: fix), mark.map({ block.matches($0.text, at: $0.offset) }) ?? true else { return nil }
    return block.position(encoding, at: latitude, longitude, letters: letters)
  }
}
