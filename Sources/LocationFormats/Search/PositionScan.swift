internal import ClipModel

/// One pass over bytes of unknown form. At each byte that can begin a form, the reader of that form looks at what
/// follows, and returns where to go on: no reader sees more than a few bytes twice, so that the time is linear.
struct PositionScan {
  /// In the order of how much they disclose: the finding is named by the first.
  enum Form: Int {
    case iso6709, exif, xmp, goPro, nmea, named, place

    var kind: String {
      switch self {
      case .iso6709: "iso6709-text"
      case .exif: "exif-gps"
      case .xmp: "xmp-gps"
      case .goPro: "gopro-gpmf"
      case .nmea: "nmea-text"
      case .named: "position-text"
      case .place: "xmp-place"
      }
    }
  }

  let text: TextBytes
  private(set) var trace = PositionTrace()
  /// The best form so far, with a position and without one.
  private var placed: Form?
  private var unplaced: Form?
  /// Where something was found, in their order; not more than are kept.
  private(set) var ranges: [Range<Int>] = []
  private var additionCount = 0
  private static let rangeLimit = 256
  /// A coordinate that waits for its other half.
  var pending: (axis: AngleText.Axis, degrees: Double, offset: Int)?
  /// Directory entries of Exif that may still be read: damaged or hostile bytes can be full of beginnings.
  var directoryBudget: Int
  /// UTF-16 inside is read as text of its own, once.
  private let isWide: Bool

  init(_ bytes: [UInt8], isWide: Bool = false) {
    text = TextBytes(bytes)
    self.isWide = isWide
    directoryBudget = 4096 + bytes.count / 4
  }

  var finding: PayloadFinding? {
    guard let form = placed ?? unplaced else { return nil }
    return .location(form.kind, trace)
  }

  /// Counts a position, or its form alone when it has none: no fix, or a value that cannot be read.
  mutating func add(_ form: Form, _ position: GeoPosition?) {
    additionCount += 1
    guard let position else {
      if form.rawValue < unplaced?.rawValue ?? .max { unplaced = form }
      return
    }
    trace.add(position)
    if form.rawValue < placed?.rawValue ?? .max { placed = form }
  }

  private static let beginnings: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "+-IMm,$lLgGhHpPcCNSd".utf8 { table[Int(byte)] = true }
    for byte in [0x00, 0xB0, 0xBA] { table[byte] = true }
    return table
  }()

  mutating func run() {
    let beginnings = Self.beginnings
    var index = 0
    while index < text.count {
      let byte = text[index]
      let isPadding = byte == 0 && text[index &+ 1] == 0
      guard beginnings[Int(byte)], !isPadding else {
        index &+= 1
        continue
      }
      let before = additionCount
      let next = read(at: index)
      // The first bytes are enough where a reader does not know the end: without them the form is not recognized.
      if additionCount != before, ranges.count < Self.rangeLimit { ranges.append(index..<max(index &+ 4, next ?? 0)) }
      index = max(index &+ 1, next ?? 0)
    }
  }

  /// - Returns: Where to go on; `nil` for the next byte.
  private mutating func read(at index: Int) -> Int? {
    let next = text[index &+ 1]
    switch text[index] {
    case 0x00: return readWide(at: index)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return readISO6709(at: index)
    case UInt8(ascii: "I"):
      if next == 0x49 { return readExif(at: index, isLittle: true) }
      return next == UInt8(ascii: "p") ? readPlace(at: index) : nil
    case UInt8(ascii: "M"):
      return next == 0x4D ? readExif(at: index, isLittle: false) : readMapLink(at: index)
    case UInt8(ascii: "m"): return readMapLink(at: index)
    case UInt8(ascii: ","): return readNMEA(at: index)
    case UInt8(ascii: "$"): return readSentence(at: index)
    case UInt8(ascii: "l"), UInt8(ascii: "L"):
      return next | 0x20 == UInt8(ascii: "o") && text.hasAnyCase("location", at: index)
        ? readPair(at: index, word: "location") : readCoordinate(at: index)
    case UInt8(ascii: "G"), UInt8(ascii: "g"):
      if next | 0x20 == UInt8(ascii: "e") { return readGeoLink(at: index) }
      return readGoPro(at: index) ?? readPair(at: index, word: "gps")
    case UInt8(ascii: "H"), UInt8(ascii: "h"): return readPair(at: index, word: "home")
    case UInt8(ascii: "P"), UInt8(ascii: "p"):
      return next == UInt8(ascii: "h") ? readPlace(at: index) : readPair(at: index, word: "position")
    case UInt8(ascii: "C"), UInt8(ascii: "c"): return readPair(at: index, word: "coordinates")
    case UInt8(ascii: "N"), UInt8(ascii: "S"): return readHemispheres(at: index)
    default: return readDegreeSign(at: index)
    }
  }

  private mutating func readWide(at index: Int) -> Int? {
    guard !isWide, let (narrow, end) = text.wideText(around: index) else { return nil }
    var inner = PositionScan(narrow, isWide: true)
    inner.run()
    trace.add(inner.trace)
    additionCount += inner.additionCount
    if let form = inner.placed, form.rawValue < placed?.rawValue ?? .max { placed = form }
    if let form = inner.unplaced { add(form, nil) }
    return end
  }
}
