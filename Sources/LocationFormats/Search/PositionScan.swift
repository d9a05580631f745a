internal import ClipModel

/// A single-pass scan of bytes in an unknown format. At each byte with which a format can start, that format's reader
/// checks the following bytes and returns where to continue. No reader checks more than a few bytes twice, so the scan
/// runs in linear time.
struct PositionScan {
  /// The position formats, starting with the most revealing one. A finding's kind is the first of these formats that
  /// occurs.
  enum Format: String, CaseIterable {
    case iso6709 = "iso6709-text"
    case exif = "exif-gps"
    case xmp = "xmp-gps"
    case goPro = "gopro-gpmf"
    case nmea = "nmea-text"
    case named = "position-text"
    case placeName = "xmp-place"
  }

  let text: TextBytes
  private(set) var trace = PositionTrace()
  private var formsWithPosition: Set<Format> = []
  private var formsWithoutPosition: Set<Format> = []
  /// The byte ranges of the findings, in order, up to a maximum number.
  private(set) var ranges: [Range<Int>] = []
  private var additionCount = 0
  private static let rangeLimit = 256
  /// A coordinate whose counterpart has not been found yet.
  var pending: (axis: Hemisphere.Axis, degrees: Double, offset: Int)?
  /// The number of Exif directory entries that the scan may still read. Malicious data can be full of Exif headers.
  var directoryBudget: Int
  /// Whether the text was extracted from UTF-16. Extraction isn't nested.
  private let isWide: Bool

  init(_ bytes: [UInt8], isWide: Bool = false) {
    text = TextBytes(bytes)
    self.isWide = isWide
    directoryBudget = 4096 + bytes.count / 4
    scanBytes()
  }

  var finding: PayloadFinding? {
    let forms = formsWithPosition.isEmpty ? formsWithoutPosition : formsWithPosition
    return Format.allCases.first(where: forms.contains).map { .location($0.rawValue, trace) }
  }

  /// Adds a position. If it is `nil` because there is no fix or the value is unreadable, adds only the format.
  mutating func add(_ form: Format, _ position: GeoPosition?) {
    additionCount += 1
    trace.add(position)
    if position == nil { formsWithoutPosition.insert(form) } else { formsWithPosition.insert(form) }
  }

  private static let firstBytes: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "+-IMm,$lLgGhHpPcCNSd".utf8 { table[Int(byte)] = true }
    for byte in [0x00, 0xB0, 0xBA] { table[byte] = true }
    return table
  }()

  private mutating func scanBytes() {
    let firstBytes = Self.firstBytes
    var index = 0
    while index < text.count {
      let byte = text[index]
      let isPadding = byte == 0 && text[index &+ 1] == 0
      guard firstBytes[Int(byte)], !isPadding else {
        index &+= 1
        continue
      }
      let before = additionCount
      let next = readFormat(at: index)
      // If the reader doesn't know the end, it is enough to blank the first bytes, because the format is then no longer
      // recognized.
      if additionCount != before, ranges.count < Self.rangeLimit { ranges.append(index..<max(index &+ 4, next ?? 0)) }
      index = max(index &+ 1, next ?? 0)
    }
  }

  /// Reads the format that starts at the index, if there is any.
  /// - Returns: the index at which to continue; `nil` to continue at the next byte.
  private mutating func readFormat(at index: Int) -> Int? {
    let next = text[index &+ 1]
    switch text[index] {
    case 0x00: return readUTF16Text(at: index)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return readISO6709(at: index)
    case UInt8(ascii: "I"):
      if next == 0x49 { return readExif(at: index, isLittle: true) }
      return next == UInt8(ascii: "p") ? readPlaceName(at: index) : nil
    case UInt8(ascii: "M"):
      return next == 0x4D ? readExif(at: index, isLittle: false) : readMapLink(at: index)
    case UInt8(ascii: "m"): return readMapLink(at: index)
    case UInt8(ascii: ","): return readNMEA(at: index)
    case UInt8(ascii: "$"): return readSentence(at: index)
    case UInt8(ascii: "l"), UInt8(ascii: "L"):
      return next | 0x20 == UInt8(ascii: "o") && text.matchesIgnoringCase("location", at: index)
        ? readPair(at: index, word: "location") : readCoordinate(at: index)
    case UInt8(ascii: "G"), UInt8(ascii: "g"):
      if next | 0x20 == UInt8(ascii: "e") { return readGeoLink(at: index) }
      return readGoPro(at: index) ?? readPair(at: index, word: "gps")
    case UInt8(ascii: "H"), UInt8(ascii: "h"): return readPair(at: index, word: "home")
    case UInt8(ascii: "P"), UInt8(ascii: "p"):
      return next == UInt8(ascii: "h") ? readPlaceName(at: index) : readPair(at: index, word: "position")
    case UInt8(ascii: "C"), UInt8(ascii: "c"): return readPair(at: index, word: "coordinates")
    case UInt8(ascii: "N"), UInt8(ascii: "S"): return readHemispheres(at: index)
    default: return readDegreeSign(at: index)
    }
  }

  private mutating func readUTF16Text(at index: Int) -> Int? {
    guard !isWide, let (narrow, end) = text.utf16Text(around: index) else { return nil }
    let inner = PositionScan(narrow, isWide: true)
    trace.add(inner.trace)
    additionCount += inner.additionCount
    formsWithPosition.formUnion(inner.formsWithPosition)
    formsWithoutPosition.formUnion(inner.formsWithoutPosition)
    return end
  }
}
