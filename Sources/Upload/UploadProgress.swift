/// The progress of an upload. Confirmed and sent bytes are counted separately because sent bytes may be lost.
public struct UploadProgress: Equatable, Sendable {
  /// The number of bytes that the server has acknowledged. This number decreases if the server loses acknowledged
  /// bytes.
  public var confirmedByteCount: Int64
  /// The number of additional bytes that the current request has sent. Resets to 0 if the request fails.
  public var sentByteCount: Int64 = 0
  /// The final file size; `nil` while the source is still growing.
  public var totalByteCount: Int64?
  /// Whether the server has completed the upload, not just acknowledged all bytes.
  public var isComplete = false
  /// A note about unusual server behavior.
  public var note: String?
  /// The current pause after a failed attempt, during which no bytes are sent.
  public var pause: Pause?

  /// A pause before the next attempt.
  public struct Pause: Equatable, Sendable {
    /// The time until the next attempt.
    public var duration: Duration
    /// The reason why the last attempt failed, such as `the server responded with 503`.
    public var reason: String
  }

  init(confirmedByteCount: Int64, totalByteCount: Int64?, pause: Pause? = nil) {
    (self.confirmedByteCount, self.totalByteCount, self.pause) = (confirmedByteCount, totalByteCount, pause)
  }
}
