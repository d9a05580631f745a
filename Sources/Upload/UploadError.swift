public import ClipModel

/// The reason why an upload failed. Never contains the upload URL.
public enum UploadError: ExplainedError, Equatable {
  /// The URL has expired (401, 403, 404, 410, or its expiration time has passed). A new upload must start from the
  /// first byte.
  case urlExpired(status: Int?)
  /// The server was unreachable or kept failing until the retry budget was exhausted. Acknowledged bytes are kept.
  case unreachable(reason: String)
  /// The server's disk remained full (507) until the retry budget was exhausted. Acknowledged bytes are kept.
  case serverDiskFull
  /// The upload was canceled on the server.
  case cancelledRemotely
  /// The server permanently rejected this upload.
  case refused(status: Int, reason: String)
  /// The server rejected the first chunk, whose `Content-Range` doesn't specify the file's size. When the size is known,
  /// the file can be sent to the same URL.
  case unknownSizeRefused(status: Int)
  /// The server violated the chunk protocol, so continuing could damage the clip.
  case protocolViolation(String)
  /// The server has ended the upload, but its data differs from the file. It can be neither continued nor canceled.
  case contentMismatch(String)
  /// The file changed after the upload started. The message completes a sentence that begins with the file name.
  case sourceChanged(String)
  /// The file can't be read. The message completes a sentence that begins with the file name.
  case sourceUnreadable(String)

  public var explanation: Explanation { explanation(forFile: nil) }

  /// Returns the explanation with the fact `sender` (`file` or `job`), which determines the advice.
  /// - Parameter file: the file that the user uploads to their own URL, or `nil` for a job's clip.
  public func explanation(forFile file: String?) -> Explanation {
    let (name, subject) = file.map { ($0, "the file") } ?? ("the clip", "the processed file")
    var facts = ["sender": file == nil ? "job" : "file"]
    facts["file"] = file
    func makeExplanation(_ id: String, _ why: String, _ category: FailureCategory = .remote) -> Explanation {
      Explanation(id: "upload.\(id)", what: "cannot upload \(name)", why: why, facts: facts, category: category)
    }
    switch self {
    case .urlExpired(let status):
      facts["status"] = status.map { "\($0)" }
      return makeExplanation("url-expired", "the upload URL has expired" + (status.map { " (status \($0))" } ?? ""))
    case .unreachable(let reason): return makeExplanation("unreachable", reason)
    case .serverDiskFull: return makeExplanation("server-disk-full", "the server's disk is full (507)")
    case .cancelledRemotely: return makeExplanation("cancelled", "the upload was canceled on the server")
    case .refused(let status, let reason):
      facts["status"] = "\(status)"
      return makeExplanation("refused", "the server responded with \(status): \(reason)")
    case .unknownSizeRefused(let status):
      facts["status"] = "\(status)"
      return makeExplanation(
        "unknown-size-refused", "the server responded with \(status) to a chunk without the file's size")
    case .protocolViolation(let reason): return makeExplanation("protocol-violation", reason)
    case .contentMismatch(let reason): return makeExplanation("content-mismatch", reason)
    case .sourceChanged(let reason): return makeExplanation("source-changed", "\(subject) \(reason)", .inputOutput)
    case .sourceUnreadable(let reason):
      return makeExplanation("source-unreadable", "\(subject) \(reason)", .inputOutput)
    }
  }
}
