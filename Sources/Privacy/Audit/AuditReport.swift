public import ClipModel
import LocationFormats

/// What a file tells beside its film.
public struct AuditReport: Equatable, Sendable {
  /// `MP4`, `QuickTime`, `Matroska`, `AVI`, `MPEG-TS`; `nil` for a kind that is not known, looked through as bytes.
  public var container: String?
  /// Bytes of the whole file.
  public var byteCount: Int64
  /// In the order of the file, timed ones behind.
  public var found: [FoundCarrier]
  /// What could not be judged, in words: nobody may take the file for clean.
  public var unread: [String]
  /// Bytes that the file claims and does not have, in words: what is missing could not be judged. A copy needs only the
  /// samples, and may be written nevertheless.
  public var damage: [String] = []

  /// Why a file in which nothing was found is not clean.
  public var unverified: [String] { unread + damage }

  /// What must not leave: places, what nobody can read, faces.
  public var mustGo: [FoundCarrier] { found.filter(\.carrier.mustGo) }

  /// The positions that were read, to look for them in what is made from the file.
  public var positions: [GeoPosition] {
    var seen: Set<GeoPosition> = []
    return found.flatMap(\.trace.kept).filter { seen.insert($0).inserted }
  }
}
