internal import ClipModel

/// Metadata by key: QuickTime's `keys` and `ilst`, iTunes' `ilst`, camera XML.
extension LocationSearch {
  mutating func searchMeta(_ box: Box, depth: Int) throws(ISOMediaError) {
    // ISO has version and flags in front of the boxes, QuickTime has not.
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    let isQuickTime = cursor.skip(4) && cursor.fourCC() == "hdlr"
    var reader = BoxReader(source: source, childrenOf: box, skipping: isQuickTime ? 0 : 4)
    var names: [String] = []
    while let child = try reader.next() {
      switch child.type {
      case "keys": names = try Self.names(in: child, source: source)
      case "ilst": try searchItems(child, names: names, depth: depth)
      default: try search(child, depth: depth + 1)
      }
    }
    if reader.problem != nil { try searchContent(box) }
  }

  private mutating func searchItems(_ list: Box, names: [String], depth: Int) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: list)
    while let item = try reader.next() {
      let index = Int(item.type.rawValue)
      guard names.indices.contains(index - 1) else {
        try search(item, depth: depth + 1)
        continue
      }
      let name = names[index - 1]
      let place = "\(list.path)/\(name)"
      if let kind = Self.kind(ofKey: name) {
        add(kind, item, place: place)
      } else {
        if let kind = LocationText.kind(in: try content(of: item)) { add(kind, item, place: place) }
      }
    }
  }

  /// `com.apple.quicktime.location.ISO6709` and its relatives, whoever wrote them.
  static func kind(ofKey name: String) -> String? {
    let lower = name.lowercased()
    if lower.contains("location.iso6709") { return "apple-iso6709" }
    if lower.hasPrefix("com.apple.quicktime.location") { return "apple-location" }
    let words = ["location", "gps", "latitude", "longitude", "geotag"]
    return words.contains { lower.contains($0) } ? "location-key" : nil
  }

  /// The names of a `keys` box, in order; item types count them from 1.
  private static func names(in box: Box, source: any ByteSource) throws(ISOMediaError) -> [String] {
    var cursor = try source.cursor(in: box.payload, atMost: contentLimit)
    guard cursor.skip(4), let count = cursor.u32() else { return [] }
    var names: [String] = []
    while names.count < count, let size = cursor.u32(), size >= 8, cursor.fourCC() != nil,
      let name = cursor.take(Int(size) - 8)
    {
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}
