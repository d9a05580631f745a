import Foundation
import NIOCore

/// The file that an upload is written to. Every method blocks, so call it on a separate thread.
final class PartFile: Sendable {
  /// The error of a failed system call, with its `errno`.
  struct Failure: Error { let code: Int32 }

  private let descriptor: Int32

  init(path: String) throws {
    descriptor = try Self.check(unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
  }

  deinit { close(descriptor) }

  /// Writes the complete buffer.
  func write(_ buffer: ByteBuffer, at offset: Int64) throws {
    try unsafe buffer.withUnsafeReadableBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw Failure(code: errno) }
        written += count
      }
    }
  }

  /// Waits until all written bytes are on disk.
  func synchronize() throws { try Self.check(fsync(descriptor)) }

  /// Removes the bytes after `byteCount`. They were written before a crash, but the server never acknowledged them.
  func truncate(to byteCount: Int64) throws { try Self.check(ftruncate(descriptor, off_t(byteCount))) }

  func byteCount() throws -> Int64 { Int64(try Self.check(lseek(descriptor, 0, SEEK_END))) }

  /// Renames a file durably and replaces any existing file at the target path.
  static func move(_ path: String, to target: String) throws {
    try check(unsafe rename(path, target))
    try synchronizeFolder((target as NSString).deletingLastPathComponent)
  }

  /// Makes changes to a folder's entries durable.
  static func synchronizeFolder(_ path: String) throws {
    let descriptor = try check(unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(descriptor) }
    try check(fsync(descriptor))
  }

  /// Checks the result of a system call.
  /// - Returns: the result if the call succeeded.
  @discardableResult
  private static func check<Result: SignedInteger>(_ result: Result) throws -> Result {
    guard result >= 0 else { throw Failure(code: errno) }
    return result
  }
}
