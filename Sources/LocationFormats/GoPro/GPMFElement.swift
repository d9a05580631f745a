internal import ISOMedia

/// One element of GoPro's metadata format (github.com/gopro/gpmf-parser): a key of four characters, the type of the
/// values as an ASCII letter, the size of one structure in bytes, the number of structures, and the values, padded to
/// four bytes. An element of type 0 contains other elements.
struct GPMFElement {
  let key: FourCC
  let type: UInt8
  let structureSize: Int
  /// The values, without the padding.
  let payload: ArraySlice<UInt8>
  /// The range of the header, the values and the padding.
  let whole: ArraySlice<UInt8>

  var isNested: Bool { type == 0 }

  /// The index of the latitude among the numbers of a structure; the longitude follows. `nil` if the element is not a
  /// position.
  var latitudeIndex: Int? {
    switch key {
    // Cameras up to the HERO11, later cameras, and the Karma controller's position.
    case "GPS5", "GPS9", "BPOS": 0
    // The Karma's GPS receiver and its filtered position; a timestamp comes first.
    case "GPRI", "GLPI": 1
    default: nil
    }
  }

  /// Whether the element contains positions, or their time (`GPSU`), fix (`GPSF`), precision (`GPSP`) or altitude
  /// system (`GPSA`).
  var isLocation: Bool {
    if latitudeIndex != nil || key.rawValue >> 8 == Self.gps { return true }
    guard key == "STNM" else { return false }
    let name = String(decoding: payload, as: UTF8.self).lowercased()
    return ["gps", "latitude", "longitude"].contains { name.contains($0) }
  }

  /// The first three letters of `GPS5`, `GPS9`, `GPSU` and so on.
  private static let gps = FourCC("GPS ").rawValue >> 8

  /// Whether the element contains serial numbers of the camera, lens or card, or values derived from them.
  var isIdentity: Bool { Self.identities.contains(key) }

  private static let identities: Set<FourCC> = ["CASN", "CINF", "LINF", "MUID", "GUMI", "BCID", "CAME", "LENS"]
}

/// Reads the elements at one nesting level.
struct GPMFReader {
  private var rest: ArraySlice<UInt8>
  /// Whether reading stopped at bytes that are not an element.
  private(set) var isDamaged = false

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> GPMFElement? {
    guard !isDamaged else { return nil }
    let fields = RecordFields(rest)
    guard let key = fields.fourCC(at: 0), key.rawValue != 0 else {
      // A zero key ends a level; only zeros may follow.
      isDamaged = !rest.allSatisfy { $0 == 0 }
      return nil
    }
    guard key.isPrintable, let type = fields.byte(at: 4), let size = fields.byte(at: 5).map(Int.init),
      let count = fields.big(UInt16.self, at: 6), let payload = fields.bytes(at: 8, count: size * Int(count)),
      let whole = fields.bytes(at: 0, count: (8 + payload.count + 3) & ~3)
    else {
      isDamaged = true
      return nil
    }
    rest = rest[whole.endIndex...]
    return GPMFElement(key: key, type: type, structureSize: size, payload: payload, whole: whole)
  }
}
