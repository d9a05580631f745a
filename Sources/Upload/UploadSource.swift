/// Where the bytes of an upload come from: a finished file, or one that is still being written.
public protocol UploadSource: Sendable {
  /// The final size; `nil` while more may come. Once known it does not change.
  var byteCount: Int64? { get }

  /// Waits until the bytes up to `end` can be read or the source is complete, and returns how many bytes, counted from
  /// the start, can be read: less than `end` only when the source is complete.
  func available(upTo end: Int64) async throws -> Int64

  /// Fills the buffer, from its start, with bytes from `offset` (zero-based) and returns how many: at least one.
  ///
  /// Called on the transfer's thread, only for bytes that are available.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int

  /// Throws `UploadError.sourceChanged` when the bytes may not be those that were sent before.
  func checkUnchanged() throws
}
