public import ClipModel

/// The positions that a payload tells, in its order: how many, the first, and enough of them to look for leftovers.
public struct PositionTrace: Equatable, Sendable {
  /// More are counted and not kept: a day of 18 Hz GPS must not fill the memory.
  public static let keptLimit = 256

  public private(set) var count = 0
  /// The first ones, distinct, at most `keptLimit`.
  public private(set) var kept: [GeoPosition] = []

  public init() {}

  public var first: GeoPosition? { kept.first }
  public var isEmpty: Bool { count == 0 }

  public mutating func add(_ position: GeoPosition) {
    count += 1
    keep(position)
  }

  public mutating func add(_ more: PositionTrace) {
    count += more.count
    for position in more.kept { keep(position) }
  }

  private mutating func keep(_ position: GeoPosition) {
    // A camera at rest tells the same place again and again.
    if kept.count < Self.keptLimit, kept.last != position { kept.append(position) }
  }
}
