import CFFmpeg
import ClipModel

extension SourceStream {
  /// The track roles to compare, except roles that libav derives from other properties, such as timed thumbnails.
  private static let roles =
    AV_DISPOSITION_DEFAULT | AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL | AV_DISPOSITION_COMMENT
    | AV_DISPOSITION_FORCED | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED
    | AV_DISPOSITION_DESCRIPTIONS

  /// The properties that determine how a player presents the track, keyed by name. Packets and timestamps are excluded.
  /// In a lossless copy, all of these properties are the same.
  public var presentation: [String: String] {
    var facts: [String: String] = [
      "kind": kind.rawValue, "codec": codecName,
      "default and forced flags": "\(pointer.pointee.disposition & Self.roles)",
      "language": metadata["language"] ?? "und",
    ]
    switch kind {
    case .video:
      // If the width is 0, the track has no parameter sets.
      if width == 0 { break }
      facts["size"] = "\(width)x\(height)"
      facts["pixel aspect ratio"] = sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" } ?? "1:1"
      facts["color"] = "\(color)"
      facts["field order"] = fieldOrder ?? "unknown"
      facts["rotation"] = "\(orientation)"
      let sideData: [(String, AVPacketSideDataType)] = [
        ("stereo mode", AV_PKT_DATA_STEREO3D), ("projection", AV_PKT_DATA_SPHERICAL),
        ("mastering display", AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
        ("content light level", AV_PKT_DATA_CONTENT_LIGHT_LEVEL), ("Dolby Vision", AV_PKT_DATA_DOVI_CONF),
      ]
      for (name, type) in sideData { facts[name] = self.sideData(type).map { "\($0)" } ?? "none" }
    case .audio:
      facts["sample rate"] = "\(sampleRate)"
      facts["channels"] = "\(channelCount) \(channelLayoutName ?? "")"
    default: break
    }
    return facts
  }
}
