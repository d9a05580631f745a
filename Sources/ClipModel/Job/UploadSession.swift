/// An upload under way, without its secret URL (which lies in the secrets folder by job).
public struct UploadSession: Codable, Equatable, Sendable {
  /// The backend's id of the upload.
  public var uploadID: String
  /// Bytes in the whole file.
  public var byteCount: Int64
  /// First byte that the server has not confirmed. A hint when resuming: the server is asked first.
  public var confirmedOffset: Int64
  /// Unix seconds after which the URL is refused; 0 when nobody knows.
  public var expiresAt: Int64

  public init(uploadID: String, byteCount: Int64, confirmedOffset: Int64, expiresAt: Int64) {
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.confirmedOffset = confirmedOffset
    self.expiresAt = expiresAt
  }
}

/// Proof that the server holds every byte.
public struct UploadReceipt: Codable, Equatable, Sendable {
  /// The backend's id of the upload; empty where a URL was all there was.
  public var uploadID: String
  /// Bytes of the whole file.
  public var byteCount: Int64
  /// Requests with a body, and bytes sent in them: more than `byteCount` when parts went twice.
  public var requestCount: Int
  /// Bytes that left in all requests together.
  public var sentByteCount: Int64

  public init(uploadID: String, byteCount: Int64, requestCount: Int, sentByteCount: Int64) {
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.requestCount = requestCount
    self.sentByteCount = sentByteCount
  }
}
