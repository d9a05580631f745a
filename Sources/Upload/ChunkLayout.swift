/// Chooses which bytes the next request sends.
public struct ChunkLayout: Equatable, Sendable {
  /// 256 KiB. Google Cloud Storage requires every chunk except the last to be a multiple of this size.
  public static let unit: Int64 = 256 << 10
  /// 8 MiB, the minimum that Google recommends and the chunk size of Mux's SDKs.
  public static let standard: Int64 = 8 << 20
  /// 256 MiB. With larger chunks, a lost connection costs too much.
  public static let longest: Int64 = 256 << 20

  /// The bytes of a full chunk: a multiple of `unit`, from `unit` to `longest`.
  public private(set) var chunkByteCount: Int64
  /// The chunk size does not adapt to the link.
  public let isFixed: Bool
  /// The limit after the server rejected a chunk as too large.
  private var limit = ChunkLayout.longest
  /// After a failed chunk, sizes grow by a constant step instead of doubling.
  private var growsSlowly = false

  /// The target time for a chunk in seconds. Compared with this, a request's round trip of at most about 0.1 s is
  /// short, and a lost connection costs at most one chunk.
  private static let targetSeconds = 10.0

  /// - Parameters:
  ///   - chunkByteCount: rounded down to a multiple of `unit` and clamped to `unit` … `longest`.
  ///   - isFixed: keeps this size; otherwise it adapts to the link.
  public init(chunkByteCount: Int64 = ChunkLayout.standard, isFixed: Bool = false) {
    self.chunkByteCount = Self.rounded(chunkByteCount, limit: Self.longest)
    self.isFixed = isFixed
  }

  private static func rounded(_ byteCount: Int64, limit: Int64) -> Int64 {
    min(max(byteCount / unit, 1) * unit, limit)
  }

  /// Adapts the size to the link after a sent chunk. It at most doubles, or after a failed chunk grows by at most
  /// `standard`.
  public mutating func recordChunk(byteCount: Int64, took duration: Duration) {
    let seconds = duration / .seconds(1)
    // A short last chunk is not a reliable measure of the link's speed.
    guard !isFixed, seconds > 0, byteCount >= chunkByteCount / 2 else { return }
    let carried = Double(byteCount) / seconds * Self.targetSeconds
    let grown = growsSlowly ? chunkByteCount + Self.standard : 2 * chunkByteCount
    let target = min(carried, Double(grown), Double(Self.longest))
    chunkByteCount = Self.rounded(Int64(target), limit: limit)
  }

  /// Halves the size, to at most `standard`, after a chunk whose connection was lost.
  public mutating func recordFailedChunk() {
    guard !isFixed else { return }
    growsSlowly = true
    chunkByteCount = Self.rounded(min(chunkByteCount / 2, Self.standard), limit: limit)
  }

  /// Halves the size, even a fixed one, after the server rejected a chunk as too large.
  /// - Returns: `false` if the size was one unit.
  public mutating func reduceLimit() -> Bool {
    guard chunkByteCount > Self.unit else { return false }
    limit = Self.rounded(chunkByteCount / 2, limit: limit)
    chunkByteCount = limit
    return true
  }

  /// The chunk that starts at `offset`, or `nil` if no bytes are left.
  /// - Parameters:
  ///   - offset: the first byte that is not acknowledged. It can be any byte, because a server can store any prefix.
  ///   - available: the end of the bytes that can be read, from the start of the file.
  ///   - total: the file's size. While it is unknown, only full units are sent.
  public func chunk(at offset: Int64, available: Int64, total: Int64?) -> Range<Int64>? {
    let length = min(chunkByteCount, available - offset)
    guard length > 0 else { return nil }
    if offset + length == total { return offset..<offset + length }
    let wholeUnits = length / Self.unit * Self.unit
    return wholeUnits > 0 ? offset..<offset + wholeUnits : nil
  }
}
