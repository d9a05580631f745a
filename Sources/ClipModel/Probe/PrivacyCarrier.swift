/// A place in a file that tells more than the film: where it sits and what it is. Positions are kept apart, so that
/// printing or encoding a carrier cannot give them away.
public struct PrivacyCarrier: Codable, Equatable, Sendable {
  /// What it tells.
  public enum Disclosure: String, Codable, Sendable, CaseIterable {
    /// Where it was filmed.
    case location
    /// Nobody knows how to read it, so nobody can say that there is no position in it: treated as a location.
    case opaque
    /// Where faces are in the picture, written along by phones: goes with the location.
    case faces
    /// Serial numbers, camera and lens ids, owners.
    case identity
    /// When it was filmed.
    case date
  }

  /// What it tells.
  public var disclosure: Disclosure
  /// A stable id: `quicktime-xyz`, `3gpp-loci`, `apple-iso6709`, `gopro-gpmf`, `novatek-freegps`…
  public var kind: String
  /// Where it sits: a box path (`moov/udta/©xyz`), or the track for what is spread over samples (`track 3 (gpmd)`).
  public var place: String
  /// Bytes of the file that it takes up, half-open; `nil` when spread over samples.
  public var byteRange: Range<Int64>?
  /// The libav stream index of a timed carrier.
  public var trackIndex: Int?
  /// Positions in it; `nil` when its values cannot be read.
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

  /// Whether a file with it may not be published, whatever the options.
  public var mustGo: Bool { [.location, .opaque, .faces].contains(disclosure) }
}
