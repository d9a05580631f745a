/// A part of a file that contains private data. GPS positions are stored separately, so that printing or encoding a
/// carrier does not reveal them.
public struct PrivacyCarrier: Codable, Equatable, Sendable {
  /// The kind of private data.
  public enum Disclosure: String, Codable, Sendable, CaseIterable {
    /// The filming location.
    case location
    /// Data in an unknown format that may contain a GPS position. It is treated as location data.
    case opaque
    /// The positions of faces in the frames, written by phones. They are removed together with the location.
    case faces
    /// Serial numbers, camera and lens IDs, owners.
    case identity
    /// The recording date.
    case date
  }

  /// The kind of private data.
  public var disclosure: Disclosure
  /// A stable ID: `quicktime-xyz`, `3gpp-loci`, `apple-iso6709`, `gopro-gpmf`, `novatek-freegps`…
  public var kind: String
  /// The location in the file: a box path (`moov/udta/©xyz`), or a track if the data is spread over samples (`track 3
  /// (gpmd)`).
  public var place: String
  /// The half-open byte range in the file; `nil` if the data is spread over samples.
  public var byteRange: Range<Int64>?
  /// The stream index in libav if the carrier is a track.
  public var trackIndex: Int?
  /// The number of GPS positions; `nil` if they cannot be read.
  public var pointCount: Int?

  public init(
    disclosure: Disclosure = .location, kind: String, place: String, byteRange: Range<Int64>? = nil,
    trackIndex: Int? = nil, pointCount: Int? = nil
  ) {
    self.disclosure = disclosure
    self.kind = kind
    self.place = place
    self.byteRange = byteRange
    self.trackIndex = trackIndex
    self.pointCount = pointCount
  }

  /// Whether it has to be removed before a file is published, regardless of the options.
  public var mustBeRemoved: Bool { [.location, .opaque, .faces].contains(disclosure) }
}
