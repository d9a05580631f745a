import ClipModel
import ISOMedia
import LocationFormats

/// Sample descriptions (`stsd`): what stands in front of all samples of a track, where encoders leave messages.
extension MovieAudit {
  /// Real records have some hundred bytes.
  static let configurationLimit = 1 << 20

  mutating func examineDescriptions(of track: ISOTrack, index: Int) throws(ISOMediaError) {
    let isMedia = track.handlerType.map(Self.mediaHandlers.contains) ?? false
    let remedy: MovieFinding.Remedy =
      isMedia ? .none("it stands in the description that decoders need") : .removeTrack(track.trackID, hasMotion: false)
    for entry in track.sampleEntries {
      if MediaFormats.isEncrypted(entry.format) { cannotJudge("\(Self.place(track)) is encrypted") }
      let end = entry.extensions.first?.range.lowerBound ?? entry.box.range.upperBound
      if let finding = try LooseBytes(entry.box.payload.lowerBound..<max(end, entry.box.payload.lowerBound), of: source)
        .finding
      {
        add(finding, at: entry.box, remedy: remedy)
      }
      for part in entry.extensions { try examineExtension(part, remedy: remedy) }
    }
  }

  private mutating func examineExtension(_ box: Box, remedy: MovieFinding.Remedy) throws(ISOMediaError) {
    switch box.type {
    case "hvcC", "av1C":
      let record = try source.bytes(in: box.payload, atMost: Self.configurationLimit)
      let found =
        box.type == "hvcC"
        ? DecoderConfiguration.findings(inHVCC: record) : DecoderConfiguration.findings(inAV1C: record)
      for finding in found { add(finding, at: box, remedy: .cleanConfiguration(box)) }
    case "keys": break  // of boxed metadata, looked at with its samples
    default:
      if let finding = try LooseBytes(box.payload, of: source).finding { add(finding, at: box, remedy: remedy) }
    }
  }
}
