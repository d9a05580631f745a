/// The result of examining a payload: a timed sample, a box, or a block after the boxes.
public struct PayloadFinding: Equatable, Sendable {
  /// The kind of private data in a payload.
  public enum Disclosure: String, Sendable {
    /// Location data, or an empty structure for it (no fix).
    case location
    /// Serial numbers, camera and lens IDs, owners.
    case identity
    /// The positions of faces in the frames, and people's names.
    case faces
    /// The recording date.
    case date
    /// Motion data: acceleration, rotation or orientation.
    case motion
    /// An unknown structure, which may contain a position.
    case opaque
    /// A known structure without private data.
    case harmless
  }

  /// A stable ID: `gopro-gpmf`, `google-camm`, `novatek-freegps`.
  public var kind: String
  /// The kind of private data.
  public var disclosure: Disclosure
  /// The positions in the payload; empty if there was no fix, and for every disclosure except `location`.
  public var trace: PositionTrace

  public init(kind: String, disclosure: Disclosure, trace: PositionTrace = []) {
    self.kind = kind
    self.disclosure = disclosure
    self.trace = trace
  }

  /// Creates a finding for a position structure. If there was no fix, the trace is empty.
  static func location(_ kind: String, _ trace: PositionTrace = []) -> PayloadFinding {
    PayloadFinding(kind: kind, disclosure: .location, trace: trace)
  }

  /// Combines the positions of both findings, with the kind and disclosure of the more private one.
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
  /// Keeps the first finding, and adds the positions of later ones.
  package mutating func merge(_ next: PayloadFinding) {
    if self == nil { self = next } else { self?.trace.add(next.trace) }
  }
}
