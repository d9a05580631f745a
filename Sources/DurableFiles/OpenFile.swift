import Foundation

/// Owner of one file descriptor: closed exactly once, never handed to a child process (`O_CLOEXEC`).
struct OpenFile: ~Copyable, Sendable {
  let descriptor: Int32

  init(
    _ path: String, flags: Int32, permissions: UInt16 = 0o600, what: FileOperation, _ purpose: DurableFileError.Purpose
  )
    throws(DurableFileError)
  {
    descriptor = try SystemCall.check(what, purpose) { unsafe open(path, flags | O_CLOEXEC, mode_t(permissions)) }
  }

  /// A close that fails loses nothing here: whoever needs the bytes on the disk has called `synchronize` before.
  deinit { _ = close(descriptor) }

  /// Device, inode, kind and size of what is open, whatever its name means by now.
  func status(what: FileOperation, _ purpose: DurableFileError.Purpose) throws(DurableFileError) -> stat {
    var status = stat()
    try SystemCall.check(what, purpose) { unsafe fstat(descriptor, &status) }
    return status
  }

  /// The next read begins at `offset`, in bytes from the beginning.
  func seek(to offset: Int64, what: FileOperation) throws(DurableFileError) {
    try SystemCall.check(what, .read) { lseek(descriptor, off_t(offset), SEEK_SET) }
  }

  /// Fills `buffer` from the file's position; fewer bytes than asked for only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, what: FileOperation) throws(DurableFileError) -> Int {
    var filled = 0
    while filled < buffer.count, let start = buffer.baseAddress {
      let count = try SystemCall.check(what, .read) {
        unsafe Foundation.read(descriptor, start + filled, buffer.count - filled)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes all of `buffer` at the file's position.
  func write(_ buffer: UnsafeRawBufferPointer, what: FileOperation) throws(DurableFileError) {
    var written = 0
    while written < buffer.count, let start = buffer.baseAddress {
      written += try SystemCall.check(what, .write) {
        unsafe Foundation.write(descriptor, start + written, buffer.count - written)
      }
    }
  }

  /// The bytes are on the disk when this returns. Blocks.
  func synchronize(what: FileOperation) throws(DurableFileError) {
    #if canImport(Darwin)
      // macOS's fsync stops at the drive's cache; F_FULLFSYNC goes on, where the file system knows it.
      if case .success = SystemCall.attempt({ fcntl(descriptor, F_FULLFSYNC) }) { return }
    #endif
    try SystemCall.check(what, .write) { fsync(descriptor) }
  }
}
