/// The progress of an upload. Confirmed and sent bytes are separate, because sent bytes can be lost.
public struct UploadProgress: Equatable, Sendable {
  /// The number of bytes that the server has acknowledged. It decreases if the server loses some.
  public var confirmedByteCount: Int64
  /// The number of further bytes that the current request has sent. It is reset to zero when the request fails.
  public var sentByteCount: Int64 = 0
  /// The final size; `nil` while the source grows.
  public var totalByteCount: Int64?
  /// The server has acknowledged the whole upload, not only all bytes.
  public var isComplete = false
  /// Unusual behavior of the server.
  public var note: String?
  /// The current pause, in which nothing is sent because an attempt failed.
  public var pause: Pause?

  /// The delay before the next attempt.
  public struct Pause: Equatable, Sendable {
    /// The time until the next attempt.
    public var duration: Duration
    /// Why the last attempt failed: `the server responded with 503`.
    public var reason: String
  }

  init(confirmedByteCount: Int64, totalByteCount: Int64?, pause: Pause? = nil) {
    (self.confirmedByteCount, self.totalByteCount, self.pause) = (confirmedByteCount, totalByteCount, pause)
  }
}
