/// The private data found in a payload: a timed sample, a box, or a block after the boxes.
public struct PayloadFinding: Equatable, Sendable {
  /// The kind of private data in a payload.
  public enum Disclosure: String, Sendable {
    /// Location data, or an empty structure for location data if the device had no GPS fix.
    case location
    /// Data that identifies the device or person: serial numbers, camera and lens IDs, owners.
    case identity
    /// The positions of faces in the frames, and people's names.
    case faces
    /// The recording date.
    case date
    /// Motion data, such as acceleration, rotation or orientation.
    case motion
    /// An unknown structure, which may contain a position.
    case opaque
    /// A known structure that contains no private data.
    case harmless
  }

  /// A stable identifier for the format, such as `gopro-gpmf`, `google-camm` or `novatek-freegps`.
  public var kind: String
  /// The kind of private data in the payload.
  public var disclosure: Disclosure
  /// The positions in the payload. Empty if the device had no GPS fix, and for every disclosure except `location`.
  public var trace: PositionTrace

  public init(kind: String, disclosure: Disclosure, trace: PositionTrace = []) {
    self.kind = kind
    self.disclosure = disclosure
    self.trace = trace
  }

  /// Creates a finding for location data. The trace is empty if the device had no GPS fix.
  static func location(_ kind: String, _ trace: PositionTrace = []) -> PayloadFinding {
    PayloadFinding(kind: kind, disclosure: .location, trace: trace)
  }

  /// Returns a finding with the positions of both findings, and the kind and disclosure of the more private one.
  func merged(with other: PayloadFinding) -> PayloadFinding {
    let order: [Disclosure] = [.harmless, .motion, .date, .faces, .identity, .opaque, .location]
    let isFirst = (order.firstIndex(of: disclosure) ?? 0) >= (order.firstIndex(of: other.disclosure) ?? 0)
    var merged = isFirst ? self : other
    merged.trace = trace
    merged.trace.add(other.trace)
    return merged
  }
}

extension PayloadFinding? {
  /// Merges a later finding into this one; if there is none yet, stores the later finding.
  package mutating func merge(_ next: PayloadFinding) {
    if self == nil { self = next } else { self?.trace.add(next.trace) }
  }
}
