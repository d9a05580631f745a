/// The source of an upload: a complete file, or a file that is still being written.
public protocol UploadSource: Sendable {
  /// The final file size; `nil` while the source is growing. Once set, the size never changes.
  var byteCount: Int64? { get }

  /// Waits until all bytes up to `end` can be read, or the source is complete. If `end` is 0, returns immediately.
  ///
  /// While the size is unknown, an upload fails if the server has more bytes than can be read.
  /// - Returns: the number of bytes at the start of the source that can be read, which can exceed `end`. It's less than
  ///   `end` only if the source is complete.
  func waitForBytes(upTo end: Int64) async throws -> Int64

  /// Fills the buffer with bytes that start at the zero-based `offset`.
  ///
  /// This method is called on the transfer thread, and only for available bytes.
  /// - Returns: the number of bytes that were read, at least 1.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int

  /// Throws `UploadError.sourceChanged` if bytes that were already sent may have changed.
  func checkUnchanged() throws
}
