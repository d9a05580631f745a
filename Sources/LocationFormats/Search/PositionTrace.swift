public import ClipModel

/// The positions that a payload tells, in its order: how many, the first, and enough of them to look for leftovers.
public struct PositionTrace: Equatable, Sendable {
  /// More are counted and not kept: a day of 18 Hz GPS must not fill the memory.
  public static let keptLimit = 256

  /// How many there were, those that were not kept too.
  public private(set) var count = 0
  /// The first ones, distinct, at most `keptLimit`.
  public private(set) var kept: [GeoPosition] = []

  /// No positions.
  public init() {}

  /// `nil` when there is none.
  public var first: GeoPosition? { kept.first }
  /// There is no position.
  public var isEmpty: Bool { count == 0 }

  /// Counts what comes next, and keeps it if there is room.
  public mutating func add(_ position: GeoPosition) {
    count += 1
    keep(position)
  }

  /// Counts what comes next, and keeps it if there is room.
  public mutating func add(_ more: PositionTrace) {
    count += more.count
    for position in more.kept { keep(position) }
  }

  private mutating func keep(_ position: GeoPosition) {
    // A camera at rest tells the same place again and again.
    if kept.count < Self.keptLimit, kept.last != position { kept.append(position) }
  }
}
