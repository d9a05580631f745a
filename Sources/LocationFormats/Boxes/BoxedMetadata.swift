internal import ISOMedia

/// Apple's boxed metadata (`mebx`): the type of each box is the local ID of a key (QuickTime file format, "Timed
/// Metadata Media").
enum BoxedMetadata {
  static func examine(_ sample: [UInt8], keys: [UInt32: String]) -> PayloadFinding {
    let names = keys.values.map { $0.lowercased() }
    if names.contains(where: isLocation) {
      return .location("apple-mebx", trace(in: sample, keys: keys))
    }
    guard !names.isEmpty, names.allSatisfy({ $0.hasPrefix("com.apple.quicktime.") }), hasOnlyKnownBoxes(sample, keys)
    else {
      return PayloadFinding(kind: "apple-mebx-unknown", disclosure: .opaque)
    }
    // Where faces are in the frame, and whose they are.
    if names.contains(where: { $0.hasPrefix("com.apple.quicktime.detected-") }) {
      return PayloadFinding(kind: "apple-mebx-faces", disclosure: .identity)
    }
    return PayloadFinding(kind: "apple-mebx", disclosure: .harmless)
  }

  private static func isLocation(_ name: String) -> Bool {
    ["location", "gps", "latitude", "longitude", "geotag"].contains { name.contains($0) }
  }

  private static func trace(in sample: [UInt8], keys: [UInt32: String]) -> PositionTrace {
    var trace = PositionTrace()
    forEachBox(in: sample) { id, payload in
      guard let name = keys[id], isLocation(name.lowercased()) else { return }
      trace.add(TextPositions.examine(Array(payload))?.trace ?? [])
    }
    return trace
  }

  /// Whether every box with a value has a key.
  private static func hasOnlyKnownBoxes(_ sample: [UInt8], _ keys: [UInt32: String]) -> Bool {
    var hasKeys = true
    let isWhole = forEachBox(in: sample) { id, payload in
      hasKeys = hasKeys && (keys[id] != nil || (id == 0 && payload.isEmpty))
    }
    return hasKeys && isWhole
  }

  /// - Returns: Whether the boxes fill the sample.
  @discardableResult
  private static func forEachBox(in sample: [UInt8], _ body: (UInt32, ArraySlice<UInt8>) -> Void) -> Bool {
    var cursor = ByteCursor(sample)
    while cursor.remaining > 0 {
      guard let size = cursor.u32(), let id = cursor.u32(), size >= 8, let payload = cursor.take(Int(size) - 8) else {
        return false
      }
      body(id, payload)
    }
    return true
  }
}
