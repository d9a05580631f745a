import Foundation
import NIOCore

/// The file that an upload grows in. Every call blocks: use it on a thread of its own.
final class PartFile: Sendable {
  /// Why a call of the system failed.
  struct Failure: Error { let code: Int32 }

  private let descriptor: Int32

  init(path: String) throws {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// Writes all of the buffer.
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

  /// Returns once everything written lies on the disk.
  func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
  }

  /// Cuts off what lies beyond `byteCount`: bytes that a crash left unconfirmed.
  func truncate(to byteCount: Int64) throws {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw Failure(code: errno) }
  }

  func byteCount() throws -> Int64 {
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw Failure(code: errno) }
    return Int64(end)
  }

  /// Makes a rename into or out of the folder durable.
  /// Renames durably.
  static func move(_ path: String, to target: String) throws {
    guard unsafe rename(path, target) == 0 else { throw Failure(code: errno) }
    try synchronizeFolder((target as NSString).deletingLastPathComponent)
  }

  static func synchronizeFolder(_ path: String) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
  }
}
