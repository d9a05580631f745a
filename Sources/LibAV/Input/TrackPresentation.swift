import CFFmpeg
import ClipModel

extension SourceStream {
  /// Roles of a track. What libav derives from other things (a thumbnail with times) is left out.
  private static let roles =
    AV_DISPOSITION_DEFAULT | AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL | AV_DISPOSITION_COMMENT
    | AV_DISPOSITION_FORCED | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED
    | AV_DISPOSITION_DESCRIPTIONS

  /// How a player shows the track, by the name of each fact: everything about it but its packets and times. A copy
  /// without a loss has the same.
  public var presentation: [String: String] {
    var facts: [String: String] = [
      "kind": kind.rawValue, "codec": codecName,
      "default and forced flags": "\(pointer.pointee.disposition & Self.roles)",
      "language": metadata["language"] ?? "und",
    ]
    switch kind {
    case .video:
      // Not one parameter set was found.
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
      for (name, type) in sideData {
        var size = 0
        let bytes = bsc_stream_side_data(pointer, type, &size)
        facts[name] = bytes.map { "\(Array(UnsafeBufferPointer(start: $0, count: size)))" } ?? "none"
      }
    case .audio:
      facts["sample rate"] = "\(sampleRate)"
      facts["channels"] = "\(channelCount) \(channelLayoutName ?? "")"
    default: break
    }
    return facts
  }
}
