public import Foundation

/// The rallies that the app detected in a match. Contains the subset of the app's ProcessingMetadata that bsc needs.
public struct RallyMetadata: Codable, Equatable, Sendable {
  /// The maximum size of a metadata file in bytes. The app's largest files are a few megabytes.
  public static let byteLimit = 64 << 20

  /// The metadata ID.
  public var id: UUID
  /// The source video ID.
  public var videoID: UUID
  /// The format version. `1.0` is the only version.
  public var processingVersion = RallyMetadataReader.knownVersion
  /// When the app analyzed the match.
  public var processingDate: Date
  /// The rallies in file order. As in the app, a rally's index is its position in this list.
  public var segments: [RallySegment]
  /// The rally's index in the source video, which is present if `bsc cut` wrote the metadata next to a clip.
  public var sourceRallyIndex: Int?

  /// Reads a metadata file and reports all of its problems, in the order of the checks.
  ///
  /// The returned metadata is `nil` if a required value is missing or unreadable. Don't use the metadata if any finding
  /// is an error. Unknown keys are ignored.
  /// - Parameters:
  ///   - bytes: the file contents, at most `byteLimit` bytes.
  ///   - fileName: the file name without folders. If it contains a UUID, that UUID must equal the video ID.
  ///   - now: the current time. Later dates are reported as being in the future.
  public static func read(
    bytes: [UInt8], fileName: String? = nil, now: Date = Date()
  ) -> (metadata: RallyMetadata?, findings: [Finding]) {
    var reader = RallyMetadataReader(now: now)
    let metadata = reader.readMetadata(bytes, fileName: fileName)
    return (metadata, reader.findings)
  }
}

/// A rally in the source video.
public struct RallySegment: Codable, Equatable, Sendable {
  /// The app's ID for the rally.
  public var id: UUID
  /// The start time in seconds from the beginning of the source video.
  public var startTime: Double
  /// The end time (exclusive) in seconds from the beginning of the source video.
  public var endTime: Double
  /// The confidence of the rally detection, from 0 to 1. Confidence and quality are 0 for early rallies in long videos.
  public var confidence: Double
  /// The quality score from the app, from 0 to 1.
  public var quality: Double
  /// The number of ball detections in the rally.
  public var detectionCount: Int
  /// The average duration of a ball trajectory in seconds.
  public var averageTrajectoryLength: Double

  /// The duration of the rally in seconds.
  public var seconds: Double { endTime - startTime }
}
