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
  case sourceUnreadable(String)

  public var explanation: Explanation {
    let what = "cannot upload the clip"
    return switch self {
    case .urlExpired(let status):
      Explanation(
        what: what, why: status.map { "server answered \($0) (upload URL expired)" } ?? "the upload URL's time is over",
        next: "run \"bsc resume\" to request a new URL", category: .remote)
    case .outOfReach(let reason):
      Explanation(
        what: what, why: reason, next: "run \"bsc resume\" to continue where it stopped", category: .remote)
    case .cancelledRemotely:
      Explanation(
        what: what, why: "the upload was cancelled on the server", next: "run \"bsc resume\" to begin a new upload",
        category: .remote)
    case .refused(let status, let reason):
      Explanation(
        what: what, why: "server answered \(status): \(reason)", next: "run \"bsc resume\" to begin a new upload",
        category: .remote)
    case .protocolViolation(let reason):
      Explanation(
        what: what, why: reason, next: "run \"bsc resume\"; if it happens again, check the backend", category: .remote)
    case .sourceChanged(let reason):
      Explanation(
        what: what, why: "the processed file \(reason)", next: "run \"bsc resume\" to make it again",
        category: .inputOutput)
    case .sourceUnreadable(let reason):
      Explanation(
        what: what, why: "the processed file \(reason)", next: "run \"bsc resume\" to make it again",
        category: .inputOutput)
    }
  }
}
