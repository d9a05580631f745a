public import ClipModel

/// Why an upload ended without a receipt. Never holds the upload URL.
public enum UploadError: ExplainedError, Equatable {
  /// The URL is no longer good (401, 403, 404, 410, or its time is over): a new upload is needed, from the first byte.
  case urlExpired(status: Int?)
  /// The server could not be reached, or kept failing, until the time for retries was over; what it confirmed is saved.
  case unreachable(reason: String)
  /// The server's disk stayed full (507) until the time for retries was over; what it confirmed is saved.
  case serverDiskFull
  /// The server said the upload was cancelled.
  case cancelledRemotely
  /// The server will not take this upload whatever we do.
  case refused(status: Int, reason: String)
  /// The server does not keep to the chunk protocol, so going on could damage the clip.
  case protocolViolation(String)
  /// The file is not the one the upload began with.
  case sourceChanged(String)
  /// The file cannot be read; the text goes on after its name.
  case sourceUnreadable(String)

  public var explanation: Explanation { explanation(for: .job) }

  /// The sender decides which advice helps.
  public enum Sender: Sendable {
    /// A job: bsc made its clip and gets its URL from a backend.
    case job
    /// A file and a URL that the user gave.
    case file(name: String)
  }

  /// The explanation for a sender; the fact `sender` is `job` or `file`.
  public func explanation(for sender: Sender) -> Explanation {
    var (name, file, facts) = ("the clip", "the processed file", ["sender": "job"])
    if case .file(let path) = sender {
      (name, file, facts) = (path, "the file", ["sender": "file", "file": path])
    }
    func explain(_ id: String, _ why: String, _ category: FailureCategory = .remote) -> Explanation {
      Explanation(id: "upload.\(id)", what: "cannot upload \(name)", why: why, facts: facts, category: category)
    }
    switch self {
    case .urlExpired(let status):
      facts["status"] = status.map { "\($0)" }
      return explain("url-expired", "the upload URL has expired" + (status.map { " (status \($0))" } ?? ""))
    case .unreachable(let reason): return explain("unreachable", reason)
    case .serverDiskFull: return explain("server-disk-full", "the server's disk is full (507)")
    case .cancelledRemotely: return explain("cancelled", "the upload was cancelled on the server")
    case .refused(let status, let reason):
      facts["status"] = "\(status)"
      return explain("refused", "the server answered \(status): \(reason)")
    case .protocolViolation(let reason): return explain("protocol-violation", reason)
    case .sourceChanged(let reason): return explain("source-changed", "\(file) \(reason)", .inputOutput)
    case .sourceUnreadable(let reason): return explain("source-unreadable", "\(file) \(reason)", .inputOutput)
    }
  }
}
