/// How far an upload is. Confirmed and sent bytes are told apart: what was sent may have to go again.
public struct UploadProgress: Equatable, Sendable {
  /// Bytes the server has confirmed. May go back when the server lost some.
  public var confirmedByteCount: Int64
  /// Bytes that have left on top, in the request under way; back to zero when it fails.
  public var sentByteCount: Int64
  /// `nil` while the source is still growing.
  public var totalByteCount: Int64?
  /// The server has said that it has everything: before that, all bytes confirmed are not the end.
  public var isComplete = false
  /// Something odd that the server did.
  public var note: String?
  /// Set while nothing is sent because the last try failed.
  public var pause: Pause?

  /// Why nothing is sent, and how long.
  public struct Pause: Equatable, Sendable {
    /// Until the next try.
    public var duration: Duration
    /// `the server answered 503`.
    public var reason: String

    public init(duration: Duration, reason: String) {
      self.duration = duration
      self.reason = reason
    }
  }

  public init(confirmedByteCount: Int64, sentByteCount: Int64 = 0, totalByteCount: Int64?, pause: Pause? = nil) {
    self.confirmedByteCount = confirmedByteCount
    self.sentByteCount = sentByteCount
    self.totalByteCount = totalByteCount
    self.pause = pause
  }
}
