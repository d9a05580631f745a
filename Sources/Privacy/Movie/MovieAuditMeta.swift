import ClipModel
import ISOMedia
import LocationFormats

/// Metadata by key: QuickTime's `keys` and `ilst`, iTunes' `ilst`, camera XML.
extension MovieAudit {
  mutating func examineMeta(_ box: Box, depth: Int) throws(ISOMediaError) {
    let metadata = try MetadataItems(meta: box, in: source)
    for item in metadata.items { try examine(item, in: box) }
    for item in metadata.unnamed { try examineITunes(item, depth: depth) }
    for child in metadata.boxes where child.type != "ilst" { try examine(child, depth: depth + 1) }
    // Items of pictures have their bytes elsewhere, and would lose them.
    for child in metadata.boxes where child.type == "iloc" {
      add(
        PayloadFinding(kind: "meta-items", disclosure: .opaque), at: child, remedy: .removeBox(box.range.lowerBound))
    }
    if metadata.problem != nil { try examineContent(box) }
  }

  private mutating func examine(_ item: MetadataItems.Item, in meta: Box) throws(ISOMediaError) {
    let path = meta.path + "/ilst/" + item.name
    let remedy = MovieFinding.Remedy.removeItem(meta: meta, item: item.box.range.lowerBound)
    let (finding, isReadable) = try value(of: item.box)
    if let meaning = MetadataVocabulary.meaning(ofKey: item.name), finding == nil || meaning.disclosure == .location {
      return add(meaning, finding?.trace ?? [], at: item.box, place: path, remedy: remedy)
    }
    if let finding { return add(finding, at: item.box, place: path, remedy: remedy) }
    if !isReadable {
      add(PayloadFinding(kind: "unknown-key", disclosure: .opaque), at: item.box, place: path, remedy: remedy)
    }
  }

  /// What an item's `data` boxes hold; readable is text, nothing, or a number of up to eight bytes.
  func value(of item: Box) throws(ISOMediaError) -> (finding: PayloadFinding?, isReadable: Bool) {
    var found: PayloadFinding?
    var isReadable = true
    var reader = BoxReader(source: source, childrenOf: item)
    while let part = try reader.next() {
      // Type and locale stand in front of the value.
      let value = part.type == "data" ? part.payload(skipping: 8) : part.payload
      let content = try UnreferencedBytes(value, of: source)
      if let finding = content.finding {
        if found == nil { found = finding } else { found?.trace.add(finding.trace) }
      }
      isReadable = isReadable && (content.isBlank || content.isText || value.count <= 8)
    }
    return (found, isReadable && reader.problem == nil)
  }

  /// iTunes' items: types that are known, `----` with a name of its own, cover pictures with their Exif.
  private mutating func examineITunes(_ item: Box, depth: Int) throws(ISOMediaError) {
    guard item.type == "----" else { return try examineContent(item) }
    var name = ""
    var reader = BoxReader(source: source, childrenOf: item)
    while let part = try reader.next() {
      guard part.type == "name" || part.type == "mean" else { continue }
      name += String(decoding: try source.bytes(in: part.payload(skipping: 4), atMost: 256), as: UTF8.self) + ":"
    }
    let remedy = MovieFinding.Remedy.removeBox(item.range.lowerBound)
    let place = "\(item.path) (\(name.dropLast()))"
    let finding = try value(of: item).finding
    if let meaning = MetadataVocabulary.meaning(ofKey: name) {
      add(meaning, finding?.trace ?? [], at: item, place: place, remedy: remedy)
    } else if let finding {
      add(finding, at: item, place: place, remedy: remedy)
    }
  }
}
