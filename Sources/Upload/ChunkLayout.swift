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

  /// Rounds down to a multiple of the unit, and into the limits.
  public init(chunkByteCount: Int64 = ChunkLayout.standard) {
    self.chunkByteCount = min(max(chunkByteCount / Self.unit, 1) * Self.unit, Self.longest)
  }

  /// The chunk that starts at `offset` (zero-based, at any byte: the server may have kept any prefix), or `nil` when
  /// nothing is left.
  ///
  /// - Parameters:
  ///   - available: bytes that can be read, counted from the file's start.
  ///   - total: the file's size; `nil` while it is not known, then only whole units are sent.
  public func chunk(at offset: Int64, available: Int64, total: Int64?) -> Range<Int64>? {
    let length = min(chunkByteCount, available - offset)
    guard length > 0 else { return nil }
    if offset + length == total { return offset..<offset + length }
    let wholeUnits = length / Self.unit * Self.unit
    return wholeUnits > 0 ? offset..<offset + wholeUnits : nil
  }

  /// Half as much, or `nil` when a chunk is one unit already.
  func halved() -> ChunkLayout? {
    chunkByteCount > Self.unit ? ChunkLayout(chunkByteCount: chunkByteCount / 2) : nil
  }
}
