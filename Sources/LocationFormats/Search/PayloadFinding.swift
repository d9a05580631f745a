/// What a payload (a timed sample, a box, a block behind the boxes) turned out to be.
public struct PayloadFinding: Equatable, Sendable {
  /// What a payload discloses.
  public enum Disclosure: String, Sendable {
    /// Holds, or is made to hold, where it was filmed; also when there was no fix.
    case location
    /// Serial numbers, camera and lens ids, owners.
    case identity
    /// When it was filmed.
    case date
    /// Acceleration, rotation, orientation: not where, but how it moved.
    case motion
    /// Its structure is unknown, so it may hold a position.
    case opaque
    /// Known, and discloses none of these.
    case harmless
  }

  /// A stable id: `gopro-gpmf`, `google-camm`, `novatek-freegps`.
  public var kind: String
  /// What it discloses.
  public var disclosure: Disclosure
  /// The positions in it; empty for everything but `location`, and where there was no fix.
  public var trace: PositionTrace

  public init(kind: String, disclosure: Disclosure, trace: PositionTrace = []) {
    self.kind = kind
    self.disclosure = disclosure
    self.trace = trace
  }

  /// A payload that is made to hold positions; without a fix the trace is empty.
  static func location(_ kind: String, _ trace: PositionTrace = []) -> PayloadFinding {
    PayloadFinding(kind: kind, disclosure: .location, trace: trace)
  }
}
