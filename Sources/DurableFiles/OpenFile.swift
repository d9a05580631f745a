import Foundation

/// Owns a file descriptor, closes it exactly once, and never passes it to child processes (`O_CLOEXEC`).
struct OpenFile: ~Copyable, Sendable {
  let descriptor: Int32
  /// The operation that error messages name.
  private let operation: FileOperation

  init(
    _ path: String, flags: Int32, permissions: UInt16 = 0o600, for operation: FileOperation
  ) throws(DurableFileError) {
    self.operation = operation
    descriptor = try SystemCall.check(operation) { unsafe open(path, flags | O_CLOEXEC, mode_t(permissions)) }
  }

  /// Opens a regular file for reading. Throws an error for other kinds of files before opening them, because opening a
  /// pipe without a writer would block.
  init(reading path: String) throws(DurableFileError) {
    _ = try FileIdentity.of(path)
    try self.init(path, flags: O_RDONLY, for: .read(path))
  }

  /// Ignore errors, because callers that need durability call `synchronize()` first.
  deinit { _ = close(descriptor) }

  /// Returns the status of the open file, even if a different file is now at the same path.
  func status() throws(DurableFileError) -> stat {
    var status = stat()
    try SystemCall.check(operation) { unsafe fstat(descriptor, &status) }
    return status
  }

  /// Reads bytes into `buffer`, starting at `offset` bytes from the start of the file.
  /// - Parameter limit: the maximum number of bytes to read.
  /// - Returns: the number of bytes read, which is less than requested only at the end of the file.
  func read(
    into buffer: inout [UInt8], upTo limit: Int = .max, at offset: Int64
  ) throws(DurableFileError) -> Int {
    let count = min(buffer.count, limit)
    var filled = 0
    while filled < count {
      let result = try SystemCall.check(operation) {
        unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe pread(descriptor, bytes.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + filled)
        }
      }
      if result == 0 { break }
      filled += result
    }
    return filled
  }

  /// Writes all bytes at the file's current position.
  func write(_ bytes: Span<UInt8>) throws(DurableFileError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = try SystemCall.check(operation) {
        unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.extracting(droppingFirst: written)
    }
  }

  /// Writes the file's data to the disk. Blocks until the data is durable.
  func synchronize() throws(DurableFileError) {
    #if canImport(Darwin)
    // On macOS, fsync only writes to the drive's cache. Not every file system supports F_FULLFSYNC.
    if case .success = SystemCall.attempt({ fcntl(descriptor, F_FULLFSYNC) }) { return }
    #endif
    try SystemCall.check(operation) { fsync(descriptor) }
  }
}
