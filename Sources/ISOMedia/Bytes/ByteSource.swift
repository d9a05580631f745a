/// Bytes that can be read by offset: a file, or memory in tests.
public protocol ByteSource {
  /// The size of the file when it was opened.
  var byteCount: Int64 { get }

  /// Returns the bytes at an offset: fewer than requested at the end, and none outside the file.
  func bytes(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8]
}

extension ByteSource {
  /// Returns the first bytes of a range. The limit bounds memory use if a file declares a wrong size.
  public func bytes(in range: Range<Int64>, atMost limit: Int) throws(ISOMediaError) -> [UInt8] {
    try bytes(at: range.lowerBound, count: Int(min(range.upperBound - range.lowerBound, Int64(limit))))
  }

  /// Returns a cursor over the first bytes of a range.
  public func cursor(in range: Range<Int64>, atMost limit: Int = 4096) throws(ISOMediaError) -> ByteCursor {
    ByteCursor(try bytes(in: range, atMost: limit))
  }
}

/// Bytes in memory.
public struct MemoryBytes: ByteSource, Sendable {
  /// The bytes of the whole file.
  public var bytes: [UInt8]

  /// - Parameter bytes: the bytes of the whole file.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var byteCount: Int64 { Int64(bytes.count) }

  public func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let start = Int(offset)
    return Array(bytes[start..<start + min(count, bytes.count - start)])
  }
}
