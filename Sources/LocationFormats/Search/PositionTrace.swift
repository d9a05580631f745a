public import ClipModel

/// The positions in a payload, in its order: how many, the first, and enough of them to look for leftovers.
public struct PositionTrace: Equatable, Sendable {
  /// More are counted and not kept: a day of 18 Hz GPS must not fill the memory.
  public static let keptLimit = 256

  /// How many there were, those that were not kept too.
  public private(set) var count = 0
  /// The first ones, distinct, at most `keptLimit`.
  public private(set) var kept: [GeoPosition] = []

  /// Those of the positions that are known, in their order.
  public init(_ positions: some Sequence<GeoPosition?> = []) {
    for position in positions { add(position) }
  }

  /// `nil` when there is none.
  public var first: GeoPosition? { kept.first }
  /// There is no position.
  public var isEmpty: Bool { count == 0 }

  /// Counts the next position and keeps it if there is room; `nil` adds nothing.
  public mutating func add(_ position: GeoPosition?) {
    guard let position else { return }
    count += 1
    keep(position)
  }

  /// Counts the positions that come next and keeps them if there is room.
  public mutating func add(_ more: PositionTrace) {
    count += more.count
    for position in more.kept { keep(position) }
  }

  private mutating func keep(_ position: GeoPosition) {
    // A camera at rest records the same place again and again.
    if kept.count < Self.keptLimit, kept.last != position { kept.append(position) }
  }
}

extension PositionTrace: ExpressibleByArrayLiteral {
  public init(arrayLiteral positions: GeoPosition?...) { self.init(positions) }
}
