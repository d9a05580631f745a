/// An unfinished upload, without its secret URL, which is stored separately by job.
public struct UploadSession: Codable, Equatable, Sendable {
  /// The backend's ID of the upload.
  public var uploadID: String
  /// The size of the whole file.
  public var byteCount: Int64
  /// The first byte that the server has not acknowledged. When an upload resumes, the server is queried first.
  public var confirmedOffset: Int64
  /// When the URL expires, in Unix seconds; 0 if unknown.
  public var expiresAt: Int64

  public init(uploadID: String, byteCount: Int64, confirmedOffset: Int64, expiresAt: Int64) {
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.confirmedOffset = confirmedOffset
    self.expiresAt = expiresAt
  }
}

/// Proof that the server has received every byte.
public struct UploadReceipt: Codable, Equatable, Sendable {
  /// The backend's ID of the upload; empty if only a URL was given.
  public var uploadID: String
  /// The size of the whole file.
  public var byteCount: Int64
  /// The number of requests with a body.
  public var requestCount: Int
  /// The number of bytes sent in all requests; more than `byteCount` if some bytes were sent again.
  public var sentByteCount: Int64

  public init(uploadID: String, byteCount: Int64, requestCount: Int, sentByteCount: Int64) {
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.requestCount = requestCount
    self.sentByteCount = sentByteCount
  }
}
