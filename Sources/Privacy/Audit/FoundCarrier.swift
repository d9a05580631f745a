public import ClipModel
public import LocationFormats

/// Private metadata and the positions in it, which bsc never prints or logs by default.
public struct FoundCarrier: Equatable, Sendable {
  /// The metadata's location in the file, and the kind of private data.
  public var carrier: PrivacyCarrier
  /// The GPS positions in the metadata. Don't log them.
  public var trace: PositionTrace

  /// Combines a finding with its location in the file; `nil` for motion data and harmless findings.
  init?(_ finding: PayloadFinding, place: String, byteRange: Range<Int64>? = nil, trackIndex: Int? = nil) {
    guard let disclosure = PrivacyCarrier.Disclosure(rawValue: finding.disclosure.rawValue) else { return nil }
    carrier = PrivacyCarrier(
      disclosure: disclosure, kind: finding.kind, place: place, byteRange: byteRange, trackIndex: trackIndex,
      pointCount: finding.trace.isEmpty ? nil : finding.trace.count)
    trace = finding.trace
  }

  /// The first position in the metadata.
  public var firstPosition: GeoPosition? { trace.first }
}
