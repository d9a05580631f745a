public import ClipModel

/// Why an upload ended without a receipt. Never holds the upload URL.
public enum UploadError: ExplainedError, Equatable {
  /// The URL is no longer good (401, 403, 404, 410, or its time is over): a new upload is needed, from the first byte.
  case urlExpired(status: Int?)
  /// The server could not be reached, or kept failing, until the time for retries was over; what it confirmed is saved.
  case outOfReach(reason: String)
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

  /// Who sends: it decides what helps.
  public enum Sender: Sendable {
    /// A job, whose clip bsc has made and whose URL its backend gives.
    case job
    /// Somebody with a file and a URL.
    case file(name: String)
  }

  /// The same in the words of whoever sends.
  public func explanation(for sender: Sender) -> Explanation {
    let (what, file, another): (String, String, String)
    switch sender {
    case .job: (what, file, another) = ("cannot upload the clip", "the processed file", "run \"bsc resume\"")
    case .file(let name): (what, file, another) = ("cannot upload \(name)", "the file", "ask for a new upload URL")
    }
    let isJob = if case .job = sender { true } else { false }
    let goOn = isJob ? "run \"bsc resume\"" : "run the same command again"
    return switch self {
    case .urlExpired(let status):
      Explanation(
        what: what,
        why: status.map { "the server answered \($0) (upload URL expired)" } ?? "the upload URL's time is over",
        next: isJob ? "\(another) to request a new URL" : another, category: .remote)
    case .outOfReach(let reason):
      Explanation(
        what: what, why: reason,
        next: reason.contains("disk is full")
          ? "make room there, then \(goOn)" : "\(goOn) to continue where it stopped", category: .remote)
    case .cancelledRemotely:
      Explanation(
        what: what, why: "the upload was cancelled on the server",
        next: isJob ? "share the clip again if it is wanted after all" : another, category: .remote)
    case .refused(let status, let reason):
      Explanation(
        what: what, why: "the server answered \(status): \(reason)",
        next: isJob ? "\(another) to begin a new upload" : another, category: .remote)
    case .protocolViolation(let reason):
      Explanation(
        what: what, why: reason, next: "\(another); if it happens again, check the backend", category: .remote)
    case .sourceChanged(let reason), .sourceUnreadable(let reason):
      Explanation(
        what: what, why: "\(file) \(reason)",
        next: isJob ? "\(another) to make it again" : "wait until nobody writes it, then \(another)",
        category: .inputOutput)
    }
  }
}
