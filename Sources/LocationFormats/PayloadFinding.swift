/// What a payload (a timed sample, a box, a block behind the boxes) turned out to be.
public struct PayloadFinding: Equatable, Sendable {
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
  public var disclosure: Disclosure
  public var trace: PositionTrace

  public init(kind: String, disclosure: Disclosure, trace: PositionTrace = PositionTrace()) {
    self.kind = kind
    self.disclosure = disclosure
    self.trace = trace
  }
}
