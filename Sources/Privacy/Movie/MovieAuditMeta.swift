import ClipModel
import ISOMedia
import LocationFormats

/// Checks keyed metadata: QuickTime's `keys` and `ilst`, iTunes' `ilst`, and camera XML.
extension MovieAudit {
  mutating func examineMeta(_ box: Box, depth: Int) throws(ISOMediaError) {
    let metadata = try MetadataItems(meta: box, in: source)
    for item in metadata.items { try examine(item, in: box) }
    for item in metadata.unnamed { try examineITunesItem(item) }
    for child in metadata.boxes where child.type != "ilst" { try examine(child, depth: depth + 1) }
    // Image items store their data elsewhere in the file, and a copy would lose that data.
    for child in metadata.boxes where child.type == "iloc" {
      add(
        PayloadFinding(kind: "meta-items", disclosure: .opaque), at: child, removal: .removeBox(box.range.lowerBound))
    }
    if metadata.problem != nil { try examineContent(box) }
  }

  private mutating func examine(_ item: MetadataItems.Item, in meta: Box) throws(ISOMediaError) {
    let path = meta.path + "/ilst/" + item.name
    let removal = MovieFinding.Removal.removeItem(meta: meta, item: item.box.range.lowerBound)
    let (finding, isReadable) = try readValue(of: item.box)
    if let meaning = MetadataVocabulary.meaning(ofKey: item.name), finding == nil || meaning.disclosure == .location {
      return add(meaning, finding?.trace ?? [], at: item.box, place: path, removal: removal)
    }
    if let finding = finding ?? (isReadable ? nil : PayloadFinding(kind: "unknown-key", disclosure: .opaque)) {
      add(finding, at: item.box, place: path, removal: removal)
    }
  }

  /// Returns the finding in an item's `data` boxes. The boxes are readable if they are empty, or contain text or a
  /// number of up to eight bytes.
  func readValue(of item: Box) throws(ISOMediaError) -> (finding: PayloadFinding?, isReadable: Bool) {
    var found: PayloadFinding?
    var isReadable = true
    var reader = BoxReader(source: source, childrenOf: item)
    while let part = try reader.next() {
      // A type and a locale precede the value.
      let value = part.type == "data" ? part.payload(skipping: 8) : part.payload
      let content = try ExaminedBytes(value, of: source)
      if let finding = content.finding { found.merge(finding) }
      isReadable = isReadable && (content.isBlank || content.isText || value.count <= 8)
    }
    return (found, isReadable && reader.problem == nil)
  }

  /// Checks iTunes items: known types, `----` items with a separate name, and the Exif data in cover images.
  private mutating func examineITunesItem(_ item: Box) throws(ISOMediaError) {
    guard item.type == "----" else { return try examineContent(item) }
    var name = ""
    var reader = BoxReader(source: source, childrenOf: item)
    while let part = try reader.next() {
      guard part.type == "name" || part.type == "mean" else { continue }
      name += String(decoding: try source.bytes(in: part.payload(skipping: 4), atMost: 256), as: UTF8.self) + ":"
    }
    let removal = MovieFinding.Removal.removeBox(item.range.lowerBound)
    let place = "\(item.path) (\(name.dropLast()))"
    let finding = try readValue(of: item).finding
    if let meaning = MetadataVocabulary.meaning(ofKey: name) {
      add(meaning, finding?.trace ?? [], at: item, place: place, removal: removal)
    } else if let finding {
      add(finding, at: item, place: place, removal: removal)
    }
  }
}
