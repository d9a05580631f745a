internal import ClipModel

/// Timed carriers: tracks whose samples can hold positions, and what stands behind the last box.
extension LocationSearch {
  /// Looks at a track's sample formats, and into its samples where the format does not tell.
  /// - Parameter index: The track's place among the tracks, libav's stream index.
  mutating func search(_ track: ISOTrack, index: Int) throws(ISOMediaError) {
    for entry in track.sampleEntries {
      guard let kind = try kind(of: entry, in: track) else { continue }
      add(LocationCarrier(kind: kind, place: "track \(track.trackID) (\(entry.format))", trackIndex: index))
    }
  }

  private static let timedKinds: [FourCC: String] = [
    "gpmd": "gopro-gpmd", "camm": "google-camm", "djmd": "dji-djmd", "dbgi": "dji-dbgi", "rtmd": "sony-rtmd",
    "mett": "timed-text-metadata", "metx": "timed-xml-metadata", "CTMD": "canon-ctmd", "marl": "gm-marl",
  ]

  /// Tracks that cannot hold a position: picture, sound, time code, GoPro's empty `fdsc`, closed captions, hints.
  private static let harmlessHandlers: Set<FourCC> = ["vide", "soun", "pict", "auxv", "tmcd", "hint", "clcp"]
  private static let harmlessFormats: Set<FourCC> = ["fdsc", "tmcd", "rtp ", "c608", "c708"]
  private static let textHandlers: Set<FourCC> = ["text", "sbtl", "subt", "subp"]

  private func kind(of entry: SampleEntry, in track: ISOTrack) throws(ISOMediaError) -> String? {
    if let kind = Self.timedKinds[entry.format] { return kind }
    if entry.format == "mebx" { return try boxedKind(entry) }
    guard let handler = track.handlerType, !Self.harmlessHandlers.contains(handler),
      !Self.harmlessFormats.contains(entry.format)
    else { return nil }
    if Self.textHandlers.contains(handler) { return try hasPositions(track) ? "text-track" : nil }
    // Nobody knows what it holds, so nobody can say that there is no position in it.
    return "timed-metadata"
  }

  /// Apple's timed metadata lists its keys. A track is left alone only when every key is one of Apple's that is no
  /// location (faces, orientation, still image time): otherwise its content is unknown.
  private func boxedKind(_ entry: SampleEntry) throws(ISOMediaError) -> String? {
    let unknown = "apple-mebx-unknown"
    guard let keys = entry.extensions.first(where: { $0.type == "keys" }) else { return unknown }
    var names: [String] = []
    var reader = BoxReader(source: source, childrenOf: keys)
    while names.count < 1000, let key = try reader.next() {
      var parts = BoxReader(source: source, childrenOf: key)
      while let part = try parts.next() {
        guard part.type == "keyd" else { continue }
        let name = try source.bytes(in: part.payload(skipping: 4), atMost: 1024)
        names.append(String(decoding: name, as: UTF8.self))
      }
    }
    if names.contains(where: { Self.kind(ofKey: $0) != nil }) { return "apple-mebx" }
    let isKnown = !names.isEmpty && reader.problem == nil && names.allSatisfy { $0.hasPrefix("com.apple.quicktime.") }
    return isKnown ? nil : unknown
  }

  /// Whether a text track holds positions, as drones write them into subtitles. Films have subtitles too: text is read,
  /// and a track that is too large to be read whole counts as one with positions.
  private func hasPositions(_ track: ISOTrack) throws(ISOMediaError) -> Bool {
    guard let table = track.table else { return false }
    var budget = Int64(Self.contentLimit)
    var found = false
    try table.forEachChunk(in: source) { chunk throws(ISOMediaError) in
      budget -= max(chunk.byteCount, 16)
      found = budget < 0
      guard !found, chunk.byteCount > 0 else { return !found }
      let text = try source.bytes(at: chunk.offset, count: Int(chunk.byteCount))
      found = LocationText.kind(in: text) != nil
      return !found
    }
    return found
  }

  mutating func search(_ trailer: Trailer) throws(ISOMediaError) {
    let place = "behind the last box (\(trailer.kind.rawValue))"
    if trailer.kind == .insta360 {
      add(LocationCarrier(kind: "insta360-trailer", place: place, byteRange: trailer.range))
    } else if let kind = LocationText.kind(in: try source.bytes(in: trailer.range, atMost: Self.contentLimit)) {
      add(LocationCarrier(kind: kind, place: place, byteRange: trailer.range))
    }
  }
}
