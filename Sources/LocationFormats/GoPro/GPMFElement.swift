internal import ISOMedia

/// An element of GoPro's metadata format (github.com/gopro/gpmf-parser): a four-character key, the value type as an
/// ASCII letter, the size of a structure in bytes, the number of structures, and the values, padded to four bytes. An
/// element of type 0 contains other elements.
struct GPMFElement {
  let key: FourCC
  let type: UInt8
  let structureSize: Int
  /// The element's values, excluding the padding.
  let payload: ArraySlice<UInt8>
  /// The range of the entire element: header, values and padding.
  let whole: ArraySlice<UInt8>

  var isNested: Bool { type == 0 }

  /// The index of the latitude among the numbers of a structure, where the longitude is the next number. `nil` if the
  /// element doesn't contain positions.
  var latitudeIndex: Int? {
    switch key {
    // These are the positions of cameras up to HERO11, of later cameras, and of the Karma controller.
    case "GPS5", "GPS9", "BPOS": 0
    // These are the positions of the Karma drone: from the GPS receiver and filtered. The first number is a timestamp.
    case "GPRI", "GLPI": 1
    default: nil
    }
  }

  /// Whether the element contains positions, or their time (`GPSU`), fix (`GPSF`), precision (`GPSP`) or altitude
  /// system (`GPSA`).
  var isLocation: Bool {
    if latitudeIndex != nil || key.rawValue >> 8 == Self.gps { return true }
    guard key == "STNM" else { return false }
    // Each second of a recording has several names, so this avoids strings.
    let name = TextBytes(Array(payload))
    return name.bytes.indices.contains { index in
      Self.locationWords.contains { name.matchesIgnoringCase($0, at: index) }
    }
  }

  private static let locationWords = ["gps", "latitude", "longitude"]

  /// The first three letters of keys such as `GPS5`, `GPS9` and `GPSU`.
  private static let gps = FourCC("GPS ").rawValue >> 8

  /// Whether the element contains serial numbers of the camera, lens or memory card, or values derived from such
  /// numbers.
  var isIdentity: Bool { Self.identities.contains(key) }

  private static let identities: Set<FourCC> = ["CASN", "CINF", "LINF", "MUID", "GUMI", "BCID", "CAME", "LENS"]
}

/// Reads the elements at one nesting level.
struct GPMFReader {
  private var rest: ArraySlice<UInt8>
  /// Whether reading stopped at bytes that aren't a valid element.
  private(set) var isDamaged = false

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> GPMFElement? {
    guard !isDamaged else { return nil }
    let fields = RecordFields(rest)
    guard let key = fields.fourCC(at: 0), key.rawValue != 0 else {
      // A zero key ends a nesting level. Only zeros may follow it.
      isDamaged = !rest.allSatisfy { $0 == 0 }
      return nil
    }
    guard key.isPrintable, let type = fields.byte(at: 4), let size = fields.byte(at: 5).map(Int.init),
      let count = fields.bigEndian(UInt16.self, at: 6), let payload = fields.bytes(at: 8, count: size * Int(count)),
      let whole = fields.bytes(at: 0, count: (8 + payload.count + 3) & ~3)
    else {
      isDamaged = true
      return nil
    }
    rest = rest[whole.endIndex...]
    return GPMFElement(key: key, type: type, structureSize: size, payload: payload, whole: whole)
  }
}
