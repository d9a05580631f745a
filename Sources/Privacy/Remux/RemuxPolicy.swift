internal import ISOMedia
internal import LocationFormats

/// Decides which metadata and messages of a source are copied.
struct RemuxPolicy {
  let options: StripOptions
  /// The search for positions in everything that is neither video nor audio.
  var search = PositionSearch.generic

  /// Metadata for viewers and players. Other entries with an unknown meaning are not copied.
  private static let harmless: Set = [
    "title", "comment", "description", "synopsis", "summary", "subtitle", "language", "album", "genre", "track",
    "copyright", "license", "publisher", "composer", "performer", "show", "alpha_mode", "stereo_mode", "filename",
    "mimetype", "timecode", "handler_name", "service_name", "service_provider",
  ]

  /// Metadata that the muxer generates.
  private static let technical: Set = [
    "encoder", "duration", "major_brand", "minor_version", "compatible_brands", "vendor_id", "software",
    "variant_bitrate",
  ]

  /// The metadata entries to copy.
  func kept(_ metadata: [String: String], of owner: String, report: inout RemuxReport) -> [String: String] {
    var kept: [String: String] = [:]
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      let key = name.lowercased()
      // Names of cover files and fonts are classified like other values.
      let finding = KeyValueMetadata.examine(name: name, value: Array(value.utf8), search: search)
      if let finding, options.removes(finding), !(options.keepsModel && finding.kind == KeyValueMetadata.modelKind) {
        report.addRemoval("\(owner): \(name)")
      } else if finding != nil || Self.harmless.contains(key) {
        kept[name] = value
      } else if !Self.technical.contains(key), !key.hasPrefix("_statistics"), key.split(separator: "-").first != "bps" {
        report.addNote("\(owner): \(name) is not kept")
      }
    }
    return kept
  }

  /// A frame without its private messages.
  /// - Returns: `nil` if it has none.
  /// - Throws: an error with the kind of a message that remains.
  func cut(_ frame: [UInt8], coding: VideoCoding) throws -> (bytes: [UInt8], kinds: [String])? {
    var bytes = frame
    var kinds: [String] = []
    // A unit can contain several messages. Each replacement removes only one of them.
    for _ in 0..<Self.roundLimit {
      let source = MemoryBytes(bytes)
      let messages = try coding.messages(in: 0..<source.byteCount, of: source, search: search).filter {
        options.removes($0.finding)
      }
      if messages.isEmpty { return kinds.isEmpty ? nil : (bytes, kinds) }
      kinds += messages.map(\.finding.kind)
      let before = bytes.count
      var limit = before
      for message in messages.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
        guard message.range.lowerBound >= 0, message.range.upperBound <= limit else { continue }
        limit = Int(message.range.lowerBound)
        bytes.replaceSubrange(limit..<Int(message.range.upperBound), with: message.replacement)
      }
      guard bytes.count < before else { break }
    }
    throw UncutMessage(kind: kinds.last ?? "a message")
  }

  /// A decoder configuration without its private messages.
  /// - Returns: `nil` if it has none.
  func cutSetup(_ setup: [UInt8], coding: VideoCoding) throws -> (bytes: [UInt8], kinds: [String])? {
    let bytes: [UInt8]
    switch coding {
    case .units(.hevc): bytes = DecoderConfiguration.hvcC.removing(options.removes, from: setup)
    case .units(.av1): bytes = DecoderConfiguration.av1C.removing(options.removes, from: setup)
    case .units(.h264StartCodes), .units(.hevcStartCodes), .startCodes: return try cut(setup, coding: coding)
    case .jpeg: bytes = []
    case .units(.h264): return nil
    }
    let kinds = try coding.findings(inSetup: setup).filter(options.removes).map(\.kind)
    return kinds.isEmpty ? nil : (bytes, kinds)
  }

  /// The maximum number of rounds. Frames in real files have fewer messages.
  private static let roundLimit = 64

  struct UncutMessage: Error {
    var kind: String
  }
}
