internal import ISOMedia
internal import LocationFormats

/// Decides which of a source's metadata entries and messages are copied.
struct RemuxPolicy {
  let options: StripOptions
  /// The search for positions in everything that is neither video nor audio.
  var search = PositionSearch.generic

  /// Metadata names for viewers and players, which are copied. Other entries with an unknown meaning are not.
  private static let harmless: Set = [
    "title", "comment", "description", "synopsis", "summary", "subtitle", "language", "album", "genre", "track",
    "copyright", "license", "publisher", "composer", "performer", "show", "alpha_mode", "stereo_mode", "filename",
    "mimetype", "timecode", "handler_name", "service_name", "service_provider",
  ]

  /// Metadata names that the muxer generates.
  private static let technical: Set = [
    "encoder", "duration", "major_brand", "minor_version", "compatible_brands", "vendor_id", "software",
    "variant_bitrate",
  ]

  /// Returns the metadata entries to copy.
  func filterMetadata(_ metadata: [String: String], of owner: String, report: inout RemuxReport) -> [String: String] {
    var kept: [String: String] = [:]
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      let key = name.lowercased()
      // The names of cover files and fonts are classified like other values.
      let finding = KeyValueMetadata.examine(name: name, value: Array(value.utf8), search: search)
      if let finding, options.removes(finding), !(options.keepsModel && finding.kind == KeyValueMetadata.modelKind) {
        report.addRemoval("\(owner): \(name)")
      } else if finding != nil || Self.harmless.contains(key) {
        kept[name] = value
      } else if !Self.technical.contains(key), !key.hasPrefix("_statistics"), key.split(separator: "-").first != "bps" {
        report.addNote("\(owner): \(name) was not copied")
      }
    }
    return kept
  }

  /// Returns a frame without its private messages.
  /// - Returns: the new frame and the kinds of the removed messages; `nil` if the frame has no private messages.
  /// - Throws: an error with the kind of a message that remains.
  func removeMessages(from frame: [UInt8], coding: VideoCoding) throws -> (bytes: [UInt8], kinds: [String])? {
    var bytes = frame
    var kinds: [String] = []
    // A unit can contain several messages, and each replacement removes only one of them.
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
    throw UnremovedMessage(kind: kinds.last ?? "a message")
  }

  /// Returns a decoder configuration without its private messages.
  /// - Returns: the new configuration and the kinds of the removed messages; `nil` if it has no private messages.
  func removeMessages(fromSetup setup: [UInt8], coding: VideoCoding) throws -> (bytes: [UInt8], kinds: [String])? {
    let bytes: [UInt8]
    switch coding {
    case .units(.hevc): bytes = DecoderConfiguration.hvcC.removeMessages(options.removes, from: setup)
    case .units(.av1): bytes = DecoderConfiguration.av1C.removeMessages(options.removes, from: setup)
    case .units(.h264StartCodes), .units(.hevcStartCodes), .startCodes:
      return try removeMessages(from: setup, coding: coding)
    case .jpeg: bytes = []
    case .units(.h264): return nil
    }
    let kinds = try coding.findings(inSetup: setup).filter(options.removes).map(\.kind)
    return kinds.isEmpty ? nil : (bytes, kinds)
  }

  /// The maximum number of rounds. Frames in real files contain fewer messages.
  private static let roundLimit = 64

  struct UnremovedMessage: Error {
    var kind: String
  }
}
