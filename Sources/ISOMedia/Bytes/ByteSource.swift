/// Bytes that can be read by offset: a file, or memory in tests.
public protocol ByteSource {
  /// Bytes of the whole file, as it was when it was opened.
  var byteCount: Int64 { get }

  /// The bytes from an offset on; fewer than asked for only at the end, none outside.
  func bytes(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8]
}

extension ByteSource {
  /// The bytes of a range, cut to a number of bytes, so that no claim of a file can fill the memory.
  public func bytes(in range: Range<Int64>, atMost limit: Int) throws(ISOMediaError) -> [UInt8] {
    try bytes(at: range.lowerBound, count: Int(min(range.upperBound - range.lowerBound, Int64(limit))))
  }

  /// A cursor over the first bytes of a range.
  public func cursor(in range: Range<Int64>, atMost limit: Int = 4096) throws(ISOMediaError) -> ByteCursor {
    ByteCursor(try bytes(in: range, atMost: limit))
  }
}

/// Bytes in memory.
public struct MemoryBytes: ByteSource, Sendable {
  /// The whole file.
  public var bytes: [UInt8]

  /// Takes the bytes of a whole file.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var byteCount: Int64 { Int64(bytes.count) }

  public func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let start = Int(offset)
    return Array(bytes[start..<start + min(count, bytes.count - start)])
  }
}
