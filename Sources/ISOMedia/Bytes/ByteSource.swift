/// A source of bytes that can be read at any offset, such as a file or, in tests, memory.
public protocol ByteSource {
  /// The number of bytes. For files, the size when the file was opened.
  var byteCount: Int64 { get }

  /// Returns up to `count` bytes at an offset. At the end of the source, it returns fewer bytes or none.
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
  /// The file's complete content.
  public var bytes: [UInt8]

  /// Creates a source from a file's complete content.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var byteCount: Int64 { Int64(bytes.count) }

  public func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let start = Int(offset)
    return Array(bytes[start..<start + min(count, bytes.count - start)])
  }
}
