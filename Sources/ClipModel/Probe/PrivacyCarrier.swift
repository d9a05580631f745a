/// A part of a file that contains private data. GPS positions are stored separately, so printing or encoding a carrier
/// doesn't reveal them.
public struct PrivacyCarrier: Codable, Equatable, Sendable {
  /// The kind of private data that a carrier contains.
  public enum Disclosure: String, Codable, Sendable, CaseIterable {
    /// The location where the clip was recorded.
    case location
    /// Data in an unknown format that may contain a GPS position. bsc treats this data as location data.
    case opaque
    /// The positions of faces in the frames, which phones record. bsc removes them together with the location data.
    case faces
    /// Serial numbers, camera and lens IDs, and owner names.
    case identity
    /// The recording date.
    case date
  }

  /// The kind of private data that the carrier contains.
  public var disclosure: Disclosure
  /// The stable ID of the data format: `quicktime-xyz`, `3gpp-loci`, `apple-iso6709`, `gopro-gpmf`, `novatek-freegps`…
  public var kind: String
  /// The location in the file: a box path (`moov/udta/©xyz`), or a track if the data is distributed across samples
  /// (`track 3 (gpmd)`).
  public var place: String
  /// The half-open byte range in the file; `nil` if the data is distributed across samples.
  public var byteRange: Range<Int64>?
  /// The libav stream index if the carrier is a track.
  public var trackIndex: Int?
  /// The number of GPS positions; `nil` if the positions cannot be decoded.
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

  /// Whether the data must be removed before a file is published, regardless of the options.
  public var mustBeRemoved: Bool { [.location, .opaque, .faces].contains(disclosure) }
}
