import ClipModel
import ISOMedia
import LocationFormats

/// Sample descriptions (`stsd`), which can contain messages of encoders. `MoviePositionSearch` finds text in them.
extension MovieAudit {
  /// Real records have some hundred bytes.
  static let configurationLimit = 1 << 20

  mutating func examineDescriptions(of track: ISOTrack) throws(ISOMediaError) {
    for entry in track.sampleEntries {
      if MediaFormats.encrypted.contains(entry.format) { addUnread("\(Self.label(track)) is encrypted") }
      for box in entry.extensions where box.type == "hvcC" || box.type == "av1C" {
        let record = try source.bytes(in: box.payload, atMost: Self.configurationLimit)
        let found =
          box.type == "hvcC"
          ? DecoderConfiguration.findings(inHVCC: record) : DecoderConfiguration.findings(inAV1C: record)
        for finding in found { add(finding, at: box, removal: .cleanConfiguration(box)) }
      }
    }
  }
}
