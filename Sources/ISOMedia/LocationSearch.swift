internal import ClipModel

/// Finds the boxes that can tell where a file was made (the check list is exiftool's).
///
/// Known carriers are named by type; other small boxes of metadata, free space and trailers are looked through for
/// anything with the shape of a position. Media data is never read here.
struct LocationSearch {
  /// Bytes of one box that are looked through: metadata is smaller, and free space costs no more than this.
  static let contentLimit = 1 << 20
  /// Boxes nest less than half as deep in real files.
  private static let depthLimit = 16
  /// Bytes looked through in all: a large file must not cost more than a small one.
  private static let totalLimit = 64 << 20
  /// Boxes looked at in all.
  private static let boxLimit = 1 << 20

  let source: any ByteSource
  private(set) var carriers: [LocationCarrier] = []
  private(set) var anomalies: [String] = []
  private var boxCount = 0
  private var contentCount = 0

  init(source: any ByteSource) { self.source = source }

  /// Boxes that hold boxes. `meta` is looked at by itself.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "udta", "mvex", "moof", "traf", "mfra", "meco",
  ]

  /// Boxes of the format itself: tables and headers, which have no room for a position.
  private static let plain: Set<FourCC> = [
    "ftyp", "styp", "mdat", "mvhd", "tkhd", "mdhd", "hdlr", "vmhd", "smhd", "nmhd", "hmhd", "sthd", "gmhd", "elst",
    "dref", "stsd", "stts", "ctts", "cslg", "stss", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd",
    "saiz", "saio", "trex", "mehd", "mfhd", "tfhd", "tfdt", "trun", "tfra", "mfro", "sidx", "ssix", "iods", "tref",
    "tapt", "load", "keys", "pdin", "prft",
  ]

  mutating func search(_ box: Box, depth: Int = 0) throws(ISOMediaError) {
    boxCount += 1
    if boxCount == Self.boxLimit { anomalies.append("too many boxes: the rest was not searched for a location") }
    guard boxCount < Self.boxLimit else { return }
    if let kind = Self.knownKind(box) {
      add(kind, box)
    } else if depth == Self.depthLimit {
      try searchContent(box)
    } else if box.type == "meta" {
      try searchMeta(box, depth: depth)
    } else if Self.containers.contains(box.type) {
      try searchChildren(of: box, depth: depth)
    } else if ["free", "skip", "wide"].contains(box.type) {
      try searchFree(box)
    } else if !Self.plain.contains(box.type) {
      try searchContent(box)
    }
  }

  mutating func add(_ kind: String, _ box: Box, place: String? = nil) {
    carriers.append(LocationCarrier(kind: kind, place: place ?? box.path, byteRange: box.range))
  }

  mutating func add(_ carrier: LocationCarrier) { carriers.append(carrier) }

  private static func knownKind(_ box: Box) -> String? {
    switch box.type {
    case "©xyz": box.path.contains("/ilst/") ? "itunes-xyz" : "quicktime-xyz"
    case "loci": "3gpp-loci"
    // `GPS ` of 70mai, `gps ` of Novatek, `gps0` of DuDuBell, `gpsa`…
    case let type where type.description.lowercased().contains("gps"): "gps-box"
    default: nil
    }
  }

  mutating func searchChildren(of box: Box, skipping count: Int64 = 0, depth: Int) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box, skipping: count)
    while boxCount < Self.boxLimit, let child = try reader.next() { try search(child, depth: depth + 1) }
    // Somebody's own form of user data: no boxes, perhaps text.
    if reader.problem != nil { try searchContent(box) }
  }

  /// Canon's block of camera data, whose `CMT4` is the GPS directory.
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  /// The first bytes of a box, as long as there are not too many in all.
  mutating func content(of box: Box) throws(ISOMediaError) -> [UInt8] {
    if contentCount > Self.totalLimit { return [] }
    let bytes = try source.bytes(in: box.payload, atMost: Self.contentLimit)
    contentCount += bytes.count
    if contentCount > Self.totalLimit { anomalies.append("too much metadata: not all was searched for a location") }
    return bytes
  }

  /// XMP and Exif in `uuid` boxes, thumbnails with Exif, XML of cameras, boxes nobody knows.
  mutating func searchContent(_ box: Box) throws(ISOMediaError) {
    let bytes = try content(of: box)
    if box.userType == Self.canon, LocationText.contains(bytes, "CMT4") { return add("canon-gps", box) }
    if let kind = LocationText.kind(in: bytes) { add(kind, box) }
  }

  /// Free space: dash cams hide their records there (`freeGPS `, boxes of BlackVue), editors leave old boxes behind.
  private mutating func searchFree(_ box: Box) throws(ISOMediaError) {
    guard !box.payload.isEmpty else { return }
    if try source.bytes(in: box.payload, atMost: 4).elementsEqual("GPS ".utf8) { return add("freegps", box) }
    var reader = BoxReader(source: source, childrenOf: box)
    var hidden: [Box] = []
    while hidden.count < 64, let child = try reader.next(), child.overrun == 0, child.type.isPrintable {
      if let kind = Self.knownKind(child) { add(kind, child) }
      hidden.append(child)
    }
    if !hidden.contains(where: { Self.knownKind($0) != nil }) { try searchContent(box) }
  }
}
