public import ISOMedia

/// The part of a data track's sample entry that describes the format of its samples.
public struct TimedMetadataSetup: Equatable, Sendable {
  /// The sample format, such as `gpmd`, `camm`, `mebx` or `tx3g`.
  public var format: FourCC
  /// The handler type, such as `meta`, `text` or `sbtl`.
  public var handler: FourCC?
  /// In `mebx` tracks, the key for each local ID, such as `com.apple.quicktime.location.ISO6709`. The leading `mdta` is
  /// omitted.
  public var keys: [UInt32: String]
  /// In `mett` and `metx` tracks, the MIME type of the samples.
  public var mimeType: String?

  public init(format: FourCC, handler: FourCC? = nil, keys: [UInt32: String] = [:], mimeType: String? = nil) {
    self.format = format
    self.handler = handler
    self.keys = keys
    self.mimeType = mimeType
  }
}

/// Checks the samples of data tracks for private data.
public enum TimedMetadata {
  /// Checks a sample for private data. An empty sample is harmless.
  public static func examine(_ sample: [UInt8], setup: TimedMetadataSetup) -> PayloadFinding {
    if sample.isEmpty { return PayloadFinding(kind: "empty-sample", disclosure: .harmless) }
    switch setup.format {
    case "gpmd": return DashCamRecords.examineMislabeledSample(sample) ?? GPMF.finding(in: sample, otherwise: .motion)
    case "fdsc":
      // GoPro's file description contains the firmware, serial numbers and model.
      return PayloadFinding(kind: "gopro-fdsc", disclosure: .identity)
    case "camm": return CameraMotion.examine(sample)
    case "mebx": return BoxedMetadata.examine(sample, keys: setup.keys)
    case "djmd", "dbgi": return examineDJITelemetry(sample, format: setup.format)
    case "rtmd": return SonyTimedMetadata.examine(sample)
    case "CTMD": return CanonTimedMetadata.examine(sample)
    case "mett": return ParrotTimedMetadata.examine(sample, mimeType: setup.mimeType)
    case "RVMI": return DashCamRecords.examineRVMI(sample)
    // GM cars write undocumented 8-byte records.
    case "marl": return PayloadFinding(kind: "gm-marl", disclosure: .opaque)
    case "tmcd": return PayloadFinding(kind: "time-code", disclosure: .harmless)
    case "c608", "c708": return TextPositions.examine(sample) ?? PayloadFinding(kind: "captions", disclosure: .harmless)
    case "text", "tx3g", "sbtl", "wvtt", "stpp", "sbtt": return TextTrack.examine(sample)
    default: return examineUnknownSample(sample, handler: setup.handler)
    }
  }

  /// Checks DJI telemetry, which contains positions if the drone (or a camera's remote control) has a GPS fix. The
  /// debug track can be read only if it has the same structure.
  private static func examineDJITelemetry(_ sample: [UInt8], format: FourCC) -> PayloadFinding {
    let trace = ProtobufPositions(in: sample).trace
    let isLocation = format == "djmd" || !trace.isEmpty
    return PayloadFinding(kind: "dji-\(format)", disclosure: isLocation ? .location : .opaque, trace: trace)
  }

  private static func examineUnknownSample(_ sample: [UInt8], handler: FourCC?) -> PayloadFinding {
    if let block = FreeGPS.examine(sample) { return block }
    if let handler, ["text", "sbtl", "subt"].contains(handler) { return TextTrack.examine(sample) }
    return TextPositions.examine(sample) ?? PayloadFinding(kind: "timed-metadata", disclosure: .opaque)
  }
}
