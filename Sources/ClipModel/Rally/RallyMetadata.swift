public import Foundation

/// The rallies that the app detected in a match: the part of the app's ProcessingMetadata that bsc needs.
public struct RallyMetadata: Codable, Equatable, Sendable {
  /// The maximum size of a metadata file. The app's largest files have a few megabytes.
  public static let byteLimit = 64 << 20

  /// The ID of the metadata.
  public var id: UUID
  /// The ID of the source video.
  public var videoID: UUID
  /// The version of the format. The only version is `1.0`.
  public var processingVersion = RallyMetadataReader.knownVersion
  /// When the app analyzed the match.
  public var processingDate: Date
  /// The rallies in file order. As in the app, the index of a rally is its position in this list.
  public var segments: [RallySegment]
  /// The index of the rally in the source video; set if `bsc cut` wrote the metadata next to a clip.
  public var sourceRallyIndex: Int?

  /// Reads a metadata file and reports all its problems at once, in the order of the checks.
  ///
  /// The metadata is `nil` if a required value is missing or unreadable. It must not be used if a finding is an error.
  /// Other keys are ignored.
  /// - Parameters:
  ///   - bytes: the whole file, at most `byteLimit`.
  ///   - fileName: the name of the file without folders. If it is a UUID, it has to be the ID of the video.
  ///   - now: later dates are in the future.
  public static func read(
    bytes: [UInt8], fileName: String? = nil, now: Date = Date()
  ) -> (metadata: RallyMetadata?, findings: [Finding]) {
    var reader = RallyMetadataReader(now: now)
    let metadata = reader.read(bytes, fileName: fileName)
    return (metadata, reader.findings)
  }
}

/// A rally of the source video.
public struct RallySegment: Codable, Equatable, Sendable {
  /// The app's ID of the rally.
  public var id: UUID
  /// The start in seconds from the start of the source video.
  public var startTime: Double
  /// The end in seconds from the start of the source video, exclusive.
  public var endTime: Double
  /// The confidence of the detection, 0 to 1. Confidence and quality are 0 for early rallies of long videos.
  public var confidence: Double
  /// The quality as rated by the app, 0 to 1.
  public var quality: Double
  /// The number of ball detections in the rally.
  public var detectionCount: Int
  /// The average length of a ball trajectory in seconds.
  public var averageTrajectoryLength: Double

  /// The length in seconds.
  public var seconds: Double { endTime - startTime }
}
