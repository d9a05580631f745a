public import ClipModel
public import LocationFormats

/// A carrier with the positions that were read from it; these never leave the process by themselves.
public struct FoundCarrier: Equatable, Sendable {
  /// Where it sits and what it tells.
  public var carrier: PrivacyCarrier
  /// The positions in it: not for logs.
  public var trace: PositionTrace

  public init(_ carrier: PrivacyCarrier, trace: PositionTrace = PositionTrace()) {
    self.carrier = carrier
    self.trace = trace
  }

  /// The first position that was read from it.
  public var firstPosition: GeoPosition? { trace.first }
}
