internal import ISOMedia

/// Reads Apple's boxed metadata (`mebx`), in which each box's type is the local ID of a key (QuickTime file format,
/// "Timed Metadata Media").
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
    if names.contains(where: { $0.hasPrefix("com.apple.quicktime.detected-") }) {
      return PayloadFinding(kind: "apple-mebx-faces", disclosure: .faces)
    }
    return PayloadFinding(kind: "apple-mebx", disclosure: .harmless)
  }

  private static func isLocation(_ name: String) -> Bool {
    ["location", "gps", "latitude", "longitude", "geotag"].contains { name.contains($0) }
  }

  private static func trace(in sample: [UInt8], keys: [UInt32: String]) -> PositionTrace {
    var trace = PositionTrace()
    for box in boxes(in: sample).list {
      guard let name = keys[box.id], isLocation(name.lowercased()) else { continue }
      trace.add(TextPositions.examine(Array(box.payload))?.trace ?? [])
    }
    return trace
  }

  /// Whether all boxes that contain a value have a key.
  private static func hasOnlyKnownBoxes(_ sample: [UInt8], _ keys: [UInt32: String]) -> Bool {
    let boxes = boxes(in: sample)
    return boxes.areWhole && boxes.list.allSatisfy { keys[$0.id] != nil || ($0.id == 0 && $0.payload.isEmpty) }
  }

  private typealias SampleBox = (id: UInt32, payload: ArraySlice<UInt8>)

  /// Reads the boxes in a sample.
  /// - Returns: the boxes, and whether they fill the sample.
  private static func boxes(in sample: [UInt8]) -> (list: [SampleBox], areWhole: Bool) {
    var cursor = ByteCursor(sample)
    var list: [SampleBox] = []
    while cursor.remaining > 0 {
      guard let size = cursor.u32(), let id = cursor.u32(), size >= 8, let payload = cursor.take(Int(size) - 8) else {
        return (list, false)
      }
      list.append((id, payload))
    }
    return (list, true)
  }
}
