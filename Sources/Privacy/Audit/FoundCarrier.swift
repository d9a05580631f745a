public import ClipModel
public import LocationFormats

/// A carrier with the positions that were read from it; these never leave the process by themselves.
public struct FoundCarrier: Equatable, Sendable {
  /// Where it is and what it discloses.
  public var carrier: PrivacyCarrier
  /// The positions in it: not for logs.
  public var trace: PositionTrace

  public init(_ carrier: PrivacyCarrier, trace: PositionTrace = []) {
    self.carrier = carrier
    self.trace = trace
  }

  /// What a payload turned out to be, and where it is; `nil` when it discloses nothing.
  init?(_ finding: PayloadFinding, place: String, byteRange: Range<Int64>? = nil, trackIndex: Int? = nil) {
    guard let disclosure = PrivacyCarrier.Disclosure(finding) else { return nil }
    carrier = PrivacyCarrier(
      disclosure: disclosure, kind: finding.kind, place: place, byteRange: byteRange, trackIndex: trackIndex,
      pointCount: finding.trace.isEmpty ? nil : finding.trace.count)
    trace = finding.trace
  }

  /// The first position that was read from it.
  public var firstPosition: GeoPosition? { trace.first }
}
