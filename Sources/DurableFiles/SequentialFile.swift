import Crypto
import Foundation

/// A file that is written from start to end, with the SHA-256 of the bytes so far. Can be used on only one thread at a
/// time.
public final class SequentialFile {
  private let file: OpenFile
  private var hasher = SHA256()
  /// The number of bytes that were appended.
  public private(set) var byteCount: Int64 = 0

  /// Opens an existing file, and removes its contents.
  public init(truncating path: String) throws(DurableFileError) {
    file = try OpenFile(path, flags: O_WRONLY | O_TRUNC, for: .write(path))
  }

  public func append(_ bytes: [UInt8]) throws(DurableFileError) {
    try file.write(bytes.span)
    hasher.update(data: bytes)
    byteCount += Int64(bytes.count)
  }

  /// Blocks until the appended bytes are durable.
  public func synchronize() throws(DurableFileError) { try file.synchronize() }

  /// The SHA-256 of the appended bytes, as 64 lowercase hexadecimal digits.
  public var sha256: String { FileDigest.hexadecimal(hasher.finalize()) }
}
