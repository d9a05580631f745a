/// Chooses the bytes that the next request sends.
public struct ChunkLayout: Equatable, Sendable {
  /// The chunk size unit, 256 KiB. Google Cloud Storage requires every chunk except the last one to be a multiple of
  /// this size.
  public static let unit: Int64 = 256 << 10
  /// The default chunk size, 8 MiB. Google recommends at least this size, and Mux's SDKs use it.
  public static let standard: Int64 = 8 << 20
  /// The maximum chunk size, 256 MiB. Beyond this size, a lost connection wastes too much time.
  public static let longest: Int64 = 256 << 20

  /// The size of a full chunk in bytes: a multiple of `unit`, from `unit` to `longest`.
  public private(set) var chunkByteCount: Int64
  /// Whether the chunk size stays the same regardless of the connection speed.
  public let isFixed: Bool
  /// The maximum chunk size, which decreases if the server rejects a chunk as too large.
  private var limit = ChunkLayout.longest
  /// Whether the chunk size grows by a constant step instead of doubling, which is the case after a failed chunk.
  private var growsSlowly = false

  /// The target upload time for one chunk, in seconds. A request's round-trip time of up to 0.1 s is negligible in
  /// comparison, and a lost connection costs at most one chunk.
  private static let targetSeconds = 10.0

  /// - Parameters:
  ///   - chunkByteCount: the initial chunk size. It's rounded down to a multiple of `unit` and clamped to `unit` …
  ///     `longest`.
  ///   - isFixed: whether to keep this size instead of adapting it to the connection speed.
  public init(chunkByteCount: Int64 = ChunkLayout.standard, isFixed: Bool = false) {
    self.chunkByteCount = Self.roundToUnit(chunkByteCount, limit: Self.longest)
    self.isFixed = isFixed
  }

  private static func roundToUnit(_ byteCount: Int64, limit: Int64) -> Int64 {
    min(max(byteCount / unit, 1) * unit, limit)
  }

  /// Adapts the chunk size to the connection speed after a chunk has been sent. The size at most doubles or, after an
  /// earlier failure, grows by at most `standard`.
  public mutating func recordChunk(byteCount: Int64, took duration: Duration) {
    let seconds = duration / .seconds(1)
    // A short final chunk isn't a reliable measure of the connection speed.
    guard !isFixed, seconds > 0, byteCount >= chunkByteCount / 2 else { return }
    let carried = Double(byteCount) / seconds * Self.targetSeconds
    let grown = growsSlowly ? chunkByteCount + Self.standard : 2 * chunkByteCount
    let target = min(carried, Double(grown), Double(Self.longest))
    chunkByteCount = Self.roundToUnit(Int64(target), limit: limit)
  }

  /// Halves the chunk size, to at most `standard`, after a connection was lost during a chunk.
  public mutating func recordFailedChunk() {
    guard !isFixed else { return }
    growsSlowly = true
    chunkByteCount = Self.roundToUnit(min(chunkByteCount / 2, Self.standard), limit: limit)
  }

  /// Halves the chunk size, even if it's fixed, after the server rejected a chunk as too large.
  /// - Returns: `false` if the chunk size was already the minimum.
  public mutating func reduceLimit() -> Bool {
    guard chunkByteCount > Self.unit else { return false }
    limit = Self.roundToUnit(chunkByteCount / 2, limit: limit)
    chunkByteCount = limit
    return true
  }

  /// Returns the chunk that starts at `offset`, or `nil` if no bytes remain.
  /// - Parameters:
  ///   - offset: the first unacknowledged byte. Any offset is possible because a server may store only part of a chunk.
  ///   - available: the number of bytes at the start of the file that can be read.
  ///   - total: the file size. As long as it's unknown, only full units are sent, and never the last available byte.
  ///     Otherwise, a request that only specifies the size could complete the upload.
  public func nextChunk(at offset: Int64, available: Int64, total: Int64?) -> Range<Int64>? {
    let length = min(chunkByteCount, (total == nil ? available - 1 : available) - offset)
    guard length > 0 else { return nil }
    if offset + length == total { return offset..<offset + length }
    let wholeUnits = length / Self.unit * Self.unit
    return wholeUnits > 0 ? offset..<offset + wholeUnits : nil
  }
}
