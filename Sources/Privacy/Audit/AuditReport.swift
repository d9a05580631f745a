public import ClipModel
import LocationFormats

/// The private metadata that an audit found in a file.
public struct AuditReport: Equatable, Sendable {
  /// The container format: `MP4`, `QuickTime`, `Matroska`, `WebM`, `AVI`, `MPEG-TS` or `MPEG-PS`. `nil` for an unknown
  /// format, for which the audit searches the raw bytes.
  public var container: String?
  /// The file size in bytes.
  public var byteCount: Int64
  /// The private metadata in file order, followed by timed metadata.
  public var found: [FoundCarrier]
  /// Descriptions of the parts that couldn't be checked. If there are any, the file may contain private metadata even
  /// if there are no findings.
  public var unread: [String]
  /// Descriptions of bytes that the file declares but doesn't contain. Missing bytes can't be checked, but a copy can
  /// be written from the existing samples.
  public var damage: [String] = []

  /// Descriptions of all parts that couldn't be checked, including missing bytes.
  public var unverified: [String] { unread + damage }

  /// The private metadata that must be removed regardless of the options: location data, faces, and unreadable data.
  public var mustBeRemoved: [FoundCarrier] { found.filter(\.carrier.mustBeRemoved) }

  /// The distinct positions in the file. An audit of a copy searches for them.
  public var positions: [GeoPosition] {
    var seen: Set<GeoPosition> = []
    return found.flatMap(\.trace.kept).filter { seen.insert($0).inserted }
  }
}
