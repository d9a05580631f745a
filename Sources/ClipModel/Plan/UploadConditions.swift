/// The properties of a share's upload that decide whether a clip is uploaded while it's encoded.
public struct UploadConditions: Sendable, Equatable {
  /// Which clips are uploaded early.
  public var streaming: UploadStreaming
  /// The host of the backend.
  public var host: String
  /// Whether the backend is on this computer. Its uploads take a fraction of a second.
  public var isLocal: Bool
  /// Whether the host rejected an upload whose size was unknown.
  public var requiresSize: Bool
  /// Whether the highlight has several clips.
  public var isPost: Bool

  public init(
    _ streaming: UploadStreaming, host: String, isLocal: Bool = false, requiresSize: Bool = false, isPost: Bool = false
  ) {
    self.streaming = streaming
    self.host = host
    self.isLocal = isLocal
    self.requiresSize = requiresSize
    self.isPost = isPost
  }
}
