internal import ISOMedia
internal import LocationFormats

/// What of a source goes into its copy.
struct RemuxPolicy {
  let options: StripOptions
  /// For positions in everything that is neither video nor audio.
  var search = PositionSearch.blind

  /// Entries that describe the film to a viewer or a player; all others that tell nothing known stay behind.
  private static let harmless: Set = [
    "title", "comment", "description", "synopsis", "summary", "subtitle", "language", "album", "genre", "track",
    "copyright", "license", "publisher", "composer", "performer", "show", "alpha_mode", "stereo_mode", "filename",
    "mimetype", "timecode", "handler_name", "service_name", "service_provider",
  ]

  /// Written anew with every file.
  private static let technical: Set = [
    "encoder", "duration", "major_brand", "minor_version", "compatible_brands", "vendor_id", "software",
    "variant_bitrate",
  ]

  func removes(_ finding: PayloadFinding) -> Bool {
    switch finding.disclosure {
    case .location, .opaque: true
    case .identity: options.removesIdentifiers
    case .date: options.removesDates
    case .motion, .harmless: false
    }
  }

  /// The entries that go on.
  func kept(_ metadata: [String: String], of owner: String, report: inout RemuxReport) -> [String: String] {
    var kept: [String: String] = [:]
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      let key = name.lowercased()
      // Names of cover files and fonts are judged as values.
      let finding = NamedText.examine(name: name, value: Array(value.utf8), search: search)
      if let finding, removes(finding), !(options.keepsModel && finding.kind == NamedText.modelKind) {
        report.remove("\(owner): \(name)")
      } else if finding != nil || Self.harmless.contains(key) {
        kept[name] = value
      } else if !Self.technical.contains(key), !key.hasPrefix("_statistics"), key.split(separator: "-").first != "bps" {
        report.note("\(owner): \(name) is not kept")
      }
    }
    return kept
  }

  /// A picture without the messages that have to go.
  /// - Returns: `nil` when there are none.
  /// - Throws: the kind of a message that is still there afterwards.
  func cut(_ picture: [UInt8], coding: PictureCoding) throws -> (bytes: [UInt8], kinds: [String])? {
    var bytes = picture
    var kinds: [String] = []
    // A unit can hold several messages, each of which is told with the unit as it is without that one.
    for _ in 0..<Self.roundLimit {
      let source = MemoryBytes(bytes)
      let messages = try coding.messages(in: 0..<source.byteCount, of: source, search: search).filter {
        removes($0.finding)
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

  /// A decoder's setup without the messages that have to go.
  /// - Returns: `nil` when there are none.
  func cutSetup(_ setup: [UInt8], coding: PictureCoding) throws -> (bytes: [UInt8], kinds: [String])? {
    let bytes: [UInt8]
    switch coding {
    case .units(.hevc): bytes = DecoderConfiguration.removing(removes, fromHVCC: setup)
    case .units(.av1): bytes = DecoderConfiguration.removing(removes, fromAV1C: setup)
    case .units(.h264StartCodes), .units(.hevcStartCodes), .startCodes: return try cut(setup, coding: coding)
    case .jpeg: bytes = []
    case .units(.h264): return nil
    }
    let kinds = try coding.findings(inSetup: setup).filter(removes).map(\.kind)
    return kinds.isEmpty ? nil : (bytes, kinds)
  }

  /// More messages than any picture has.
  private static let roundLimit = 64

  struct UncutMessage: Error {
    var kind: String
  }
}
