/// The bytes of an upload: a complete file, or one that is still being written.
public protocol UploadSource: Sendable {
  /// The final size; `nil` while the source grows. Once known, it does not change.
  var byteCount: Int64? { get }

  /// Waits until the bytes up to `end` can be read or the source is complete.
  /// - Returns: the end of the readable bytes, from the start. Less than `end` only if the source is complete.
  func available(upTo end: Int64) async throws -> Int64

  /// Fills the buffer from its start with bytes from the zero-based `offset`.
  ///
  /// Called on the transfer thread, only for available bytes.
  /// - Returns: the number of bytes, at least one.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int

  /// Throws `UploadError.sourceChanged` if the bytes may differ from those that were sent before.
  func checkUnchanged() throws
}
