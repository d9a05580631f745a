/// An unfinished upload. Its secret URL is stored separately for each job.
public struct UploadSession: Codable, Equatable, Sendable {
  /// The backend's upload ID.
  public var uploadID: String
  /// The total file size in bytes.
  public var byteCount: Int64
  /// The offset of the first byte that the server hasn't acknowledged. A resumed upload queries the server first.
  public var confirmedOffset: Int64
  /// When the upload URL expires, in Unix seconds; 0 if unknown.
  public var expiresAt: Int64

  public init(uploadID: String, byteCount: Int64, confirmedOffset: Int64, expiresAt: Int64) {
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.confirmedOffset = confirmedOffset
    self.expiresAt = expiresAt
  }
}

/// Proof that the server has received all bytes.
public struct UploadReceipt: Codable, Equatable, Sendable {
  /// The backend's upload ID; empty if only a URL was provided.
  public var uploadID: String
  /// The total file size in bytes.
  public var byteCount: Int64
  /// The number of requests that had a body.
  public var requestCount: Int
  /// The total number of bytes sent, which exceeds `byteCount` if some bytes were sent again.
  public var sentByteCount: Int64

  public init(uploadID: String, byteCount: Int64, requestCount: Int, sentByteCount: Int64) {
    self.uploadID = uploadID
    self.byteCount = byteCount
    self.requestCount = requestCount
    self.sentByteCount = sentByteCount
  }
}
