/// An upload that was requested while its clip was still being encoded.
public struct StartedUpload: Codable, Equatable, Sendable {
  /// The duration in the upload's draft, in seconds. A repeated request must have the same draft.
  public var durationSeconds: Double
  /// The upload, whose total size is unknown and 0; `nil` if the backend's response isn't known.
  public var session: UploadSession?
  /// The bytes that may have been sent; `nil` if there are none.
  public var sent: SentPart?

  /// The bytes at the start of a clip that may have been sent.
  public struct SentPart: Codable, Equatable, Sendable {
    /// The number of bytes.
    public var byteCount: Int64
    /// The SHA-256 of the bytes, in lowercase hexadecimal digits. The upload continues only if an encode that was
    /// interrupted writes the same bytes again.
    public var sha256: String

    /// Creates a part from its size and its digest.
    public init(byteCount: Int64, sha256: String) {
      self.byteCount = byteCount
      self.sha256 = sha256
    }
  }

  public init(durationSeconds: Double, session: UploadSession? = nil, sent: SentPart? = nil) {
    self.durationSeconds = durationSeconds
    self.session = session
    self.sent = sent
  }
}
