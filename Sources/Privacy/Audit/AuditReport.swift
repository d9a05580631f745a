public import ClipModel
import LocationFormats

/// The private metadata in a file.
public struct AuditReport: Equatable, Sendable {
  /// The container: `MP4`, `QuickTime`, `Matroska`, `WebM`, `AVI`, `MPEG-TS` or `MPEG-PS`; `nil` for an unknown
  /// container, whose bytes are searched without parsing.
  public var container: String?
  /// The size of the whole file in bytes.
  public var byteCount: Int64
  /// The private metadata in file order, followed by timed metadata.
  public var found: [FoundCarrier]
  /// Descriptions of the parts that could not be checked. If there are any, the file may contain private metadata even
  /// without findings.
  public var unread: [String]
  /// Descriptions of bytes that the file declares but does not contain. Missing bytes cannot be checked, but a copy can
  /// be written from the existing samples.
  public var damage: [String] = []

  /// Everything that could not be checked.
  public var unverified: [String] { unread + damage }

  /// Private metadata that must be removed regardless of the options: location, unreadable data, faces.
  public var mustBeRemoved: [FoundCarrier] { found.filter(\.carrier.mustBeRemoved) }

  /// The distinct positions, so that a copy of the file can be searched for them.
  public var positions: [GeoPosition] {
    var seen: Set<GeoPosition> = []
    return found.flatMap(\.trace.kept).filter { seen.insert($0).inserted }
  }
}
