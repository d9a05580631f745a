/// Which bytes go into the next request.
public struct ChunkLayout: Equatable, Sendable {
  /// Every chunk but the last has a multiple of this length: 256 KiB, the rule of Google Cloud Storage.
  public static let unit: Int64 = 256 << 10
  /// 8 MiB: what Google recommends at least, and Mux's SDKs use.
  public static let standard: Int64 = 8 << 20
  /// 256 MiB: beyond it a break costs too much.
  public static let longest: Int64 = 256 << 20

  /// Bytes of a whole chunk: a multiple of `unit` from one unit to `longest`.
  public private(set) var chunkByteCount: Int64
  /// Stays as long as it is, whatever the link does.
  public let isFixed: Bool
  /// What the server takes at most, once it refused a longer one.
  private var limit = ChunkLayout.longest
  /// A chunk broke off before: lengths grow by steps, because nobody knows when the next one does.
  private var isCautious = false

  /// Seconds that a chunk should take. A request costs a round trip, a tenth of a second at worst; a break costs what the
  /// server had not kept, a chunk at worst.
  private static let wantedSeconds = 10.0

  /// Rounds down to a multiple of the unit, and into the limits.
  /// - Parameters:
  ///   - chunkByteCount: a multiple of `unit`, at most `longest`; others are rounded down.
  ///   - isFixed: somebody wants chunks of that length; otherwise they follow the link.
  public init(chunkByteCount: Int64 = ChunkLayout.standard, isFixed: Bool = false) {
    self.chunkByteCount = Self.rounded(chunkByteCount, limit: Self.longest)
    self.isFixed = isFixed
  }

  private static func rounded(_ byteCount: Int64, limit: Int64) -> Int64 {
    min(max(byteCount / unit, 1) * unit, limit)
  }

  /// A chunk went through: the next one is as long as the link carries in the wanted time, at most twice as long, and
  /// once one broke off, at most `standard` longer.
  public mutating func noteChunk(byteCount: Int64, took duration: Duration) {
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    // The rest of a file, or a moment, says little of the link.
    guard !isFixed, seconds > 0, byteCount >= chunkByteCount / 2 else { return }
    let carried = Double(byteCount) / seconds * Self.wantedSeconds
    let grown = isCautious ? chunkByteCount + Self.standard : 2 * chunkByteCount
    let wanted = min(carried, Double(grown), Double(Self.longest))
    chunkByteCount = Self.rounded(Int64(wanted), limit: limit)
  }

  /// A chunk broke off: the next break costs half as much, and no more than what anybody starts with.
  public mutating func noteBreak() {
    guard !isFixed else { return }
    isCautious = true
    chunkByteCount = Self.rounded(min(chunkByteCount / 2, Self.standard), limit: limit)
  }

  /// The server takes no chunk of this length, whatever anybody wants.
  /// - Returns: `false` when it was one unit already.
  public mutating func noteTooLong() -> Bool {
    guard chunkByteCount > Self.unit else { return false }
    limit = Self.rounded(chunkByteCount / 2, limit: limit)
    chunkByteCount = limit
    return true
  }

  /// The chunk that starts at `offset` (zero-based, at any byte: the server may have kept any prefix), or `nil` when
  /// nothing is left.
  ///
  /// - Parameters:
  ///   - offset: first byte that is not confirmed.
  ///   - available: bytes that can be read, counted from the file's start.
  ///   - total: the file's size; `nil` while it is not known, then only whole units are sent.
  public func chunk(at offset: Int64, available: Int64, total: Int64?) -> Range<Int64>? {
    let length = min(chunkByteCount, available - offset)
    guard length > 0 else { return nil }
    if offset + length == total { return offset..<offset + length }
    let wholeUnits = length / Self.unit * Self.unit
    return wholeUnits > 0 ? offset..<offset + wholeUnits : nil
  }
}
