public import ClipModel

/// Why an upload ended without a receipt. Never contains the upload URL.
public enum UploadError: ExplainedError, Equatable {
  /// The URL has expired (401, 403, 404, 410, or its deadline): a new upload is needed, from the first byte.
  case urlExpired(status: Int?)
  /// The server was unreachable or kept failing until the retry budget was used. Acknowledged bytes are stored.
  case unreachable(reason: String)
  /// The server's disk was full (507) until the retry budget was used. Acknowledged bytes are stored.
  case serverDiskFull
  /// The upload was canceled on the server.
  case cancelledRemotely
  /// The server rejects this upload permanently.
  case refused(status: Int, reason: String)
  /// The server violates the chunk protocol, so continuing could damage the clip.
  case protocolViolation(String)
  /// The file has changed since the upload started. The text follows the file's name.
  case sourceChanged(String)
  /// The file cannot be read. The text follows the file's name.
  case sourceUnreadable(String)

  public var explanation: Explanation { explanation(forFile: nil) }

  /// The explanation with the fact `sender`, which decides which advice helps: `file` or `job`.
  /// - Parameter file: the file that the user uploads to their own URL; `nil` for the clip of a job.
  public func explanation(forFile file: String?) -> Explanation {
    let (name, subject) = file.map { ($0, "the file") } ?? ("the clip", "the processed file")
    var facts = ["sender": file == nil ? "job" : "file"]
    facts["file"] = file
    func explain(_ id: String, _ why: String, _ category: FailureCategory = .remote) -> Explanation {
      Explanation(id: "upload.\(id)", what: "cannot upload \(name)", why: why, facts: facts, category: category)
    }
    switch self {
    case .urlExpired(let status):
      facts["status"] = status.map { "\($0)" }
      return explain("url-expired", "the upload URL has expired" + (status.map { " (status \($0))" } ?? ""))
    case .unreachable(let reason): return explain("unreachable", reason)
    case .serverDiskFull: return explain("server-disk-full", "the server's disk is full (507)")
    case .cancelledRemotely: return explain("cancelled", "the upload was canceled on the server")
    case .refused(let status, let reason):
      facts["status"] = "\(status)"
      return explain("refused", "the server answered \(status): \(reason)")
    case .protocolViolation(let reason): return explain("protocol-violation", reason)
    case .sourceChanged(let reason): return explain("source-changed", "\(subject) \(reason)", .inputOutput)
    case .sourceUnreadable(let reason): return explain("source-unreadable", "\(subject) \(reason)", .inputOutput)
    }
  }
}
