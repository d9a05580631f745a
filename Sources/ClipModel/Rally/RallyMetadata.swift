public import Foundation

/// What the app found in a match: its rallies. The part of the app's ProcessingMetadata that bsc needs.
public struct RallyMetadata: Codable, Equatable, Sendable {
  /// Larger files are refused: the app's largest are a few megabytes.
  public static let byteLimit = 64 << 20

  /// Of this piece of metadata.
  public var id: UUID
  /// The original video.
  public var videoID: UUID
  /// `1.0` so far.
  public var processingVersion = RallyMetadataReader.knownVersion
  /// When the app looked at the match.
  public var processingDate: Date
  /// In the order of the file: a rally's index is its place here, as in the app.
  public var segments: [RallySegment]
  /// Present in a sidecar that bsc wrote beside a clip it cut: the clip is this rally of the original.
  public var sourceRallyIndex: Int?

  /// Reads a metadata file and reports everything that is wrong with it at once, in the order of the checks.
  ///
  /// The metadata is `nil` when a value that bsc needs is missing or unreadable; otherwise it is there, and must not be
  /// used while a finding is an error. Keys that bsc does not need are not looked at.
  /// - Parameters:
  ///   - bytes: the whole file, at most `byteLimit`.
  ///   - fileName: The file's name without folders; when it is a UUID it has to be the video's.
  ///   - now: Dates after it are in the future.
  public static func read(
    bytes: [UInt8], fileName: String? = nil, now: Date = Date()
  ) -> (metadata: RallyMetadata?, findings: [Finding]) {
    var reader = RallyMetadataReader(now: now)
    let metadata = reader.read(bytes, fileName: fileName)
    return (metadata, reader.findings)
  }
}

/// One rally of the original video.
public struct RallySegment: Codable, Equatable, Sendable {
  /// The app's id of the rally.
  public var id: UUID
  /// Seconds from the start of the original video, half-open.
  public var startTime: Double
  /// Seconds from the start of the original video; the first moment behind the rally.
  public var endTime: Double
  /// 0 to 1; both are 0 for early rallies of long videos.
  public var confidence: Double
  /// How good the app found it, 0 to 1.
  public var quality: Double
  /// Samples of the ball's flight in the rally.
  public var detectionCount: Int
  /// Seconds.
  public var averageTrajectoryLength: Double

  /// Length in seconds.
  public var seconds: Double { endTime - startTime }
}
