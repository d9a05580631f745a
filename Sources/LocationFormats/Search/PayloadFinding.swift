/// What a payload (a timed sample, a box, a block behind the boxes) turned out to be.
public struct PayloadFinding: Equatable, Sendable {
  /// What a payload tells.
  public enum Disclosure: String, Sendable {
    /// Tells, or is made to tell, where it was filmed; also when there was no fix.
    case location
    /// Serial numbers, camera and lens ids, owners.
    case identity
    /// When it was filmed.
    case date
    /// Acceleration, rotation, orientation: not where, but how it moved.
    case motion
    /// Nobody knows how to read it, so nobody can say that there is no position in it.
    case opaque
    /// Known, and tells nothing of these.
    case harmless
  }

  /// A stable id: `gopro-gpmf`, `google-camm`, `novatek-freegps`.
  public var kind: String
  /// What it tells.
  public var disclosure: Disclosure
  /// The positions in it; empty for everything but `location`, and where there was no fix.
  public var trace: PositionTrace

  public init(kind: String, disclosure: Disclosure, trace: PositionTrace = PositionTrace()) {
    self.kind = kind
    self.disclosure = disclosure
    self.trace = trace
  }
}
