public import ClipModel

/// The GPS positions in a payload, in order. A trace stores their count and enough of them to search a copy of the
/// file.
public struct PositionTrace: Equatable, Sendable {
  /// The maximum number of stored positions. Further positions are only counted, so that a full day of 18 Hz GPS data
  /// doesn't use too much memory.
  public static let keptLimit = 256

  /// The number of positions, including those that are not stored.
  public private(set) var count = 0
  /// The first positions, at most `keptLimit`, without consecutive duplicates.
  public private(set) var kept: [GeoPosition] = []

  /// Creates a trace of the positions that are not `nil`, in order.
  public init(_ positions: some Sequence<GeoPosition?> = []) {
    for position in positions { add(position) }
  }

  /// The first position; `nil` if there is none.
  public var first: GeoPosition? { kept.first }
  /// Whether the trace has no positions.
  public var isEmpty: Bool { count == 0 }

  /// Counts a position, and stores it unless the trace is full. Ignores `nil`.
  public mutating func add(_ position: GeoPosition?) {
    guard let position else { return }
    count += 1
    storePosition(position)
  }

  /// Appends another trace.
  public mutating func add(_ more: PositionTrace) {
    count += more.count
    for position in more.kept { storePosition(position) }
  }

  private mutating func storePosition(_ position: GeoPosition) {
    // A stationary camera records the same position repeatedly.
    if kept.count < Self.keptLimit, kept.last != position { kept.append(position) }
  }
}

extension PositionTrace: ExpressibleByArrayLiteral {
  public init(arrayLiteral positions: GeoPosition?...) { self.init(positions) }
}
