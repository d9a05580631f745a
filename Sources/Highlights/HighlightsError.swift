public import ClipModel

/// An error from a backend. Contains the backend's own message, but never a key or an upload URL.
public enum HighlightsError: ExplainedError, Equatable {
  /// The backend didn't respond, or its temporary failures continued until the retry limit was reached.
  case unreachable(operation: String, reason: String)
  /// The backend's disk remained full (507) until the retry limit was reached.
  case backendDiskFull(operation: String)
  /// The user isn't signed in (401) or isn't allowed to perform the operation (403).
  case notAuthorized(operation: String, reason: String)
  /// The backend rejected the request permanently.
  case refused(operation: String, status: Int, reason: String)
  /// The highlight already exists. No upload is necessary, and the highlight can be read by its ID.
  case alreadyRegistered
  /// The backend already has the entire clip from this upload. No further upload is necessary; wait until processing
  /// ends.
  case alreadyUploaded(uploadID: String)
  /// Mux doesn't recognize the access token, or the token lacks a required permission.
  case tokenRefused(operation: String, reason: String)
  /// The backend stores videos but doesn't support highlights.
  case highlightsUnsupported(operation: String)
  /// The highlight ID belongs to a different account. Retrying can't succeed.
  case highlightTaken
  /// The response violates the API contract.
  case unreadableAnswer(operation: String, reason: String)
  /// The backend couldn't create a playable clip from the uploaded file.
  case clipRejected(reason: String)
  /// The backend has the entire file but cannot process it.
  case backendFailed(reason: String)
  /// The upload was canceled on the server.
  case uploadCancelled
  /// The upload URL expired before the upload was complete.
  case uploadTimedOut
  /// The upload is complete, but the highlight didn't appear within the time limit.
  case notReadyInTime(seconds: Int64)

  public var explanation: Explanation {
    func explain(
      _ id: String, _ why: String, _ category: FailureCategory = .remote, _ facts: [String: String] = [:],
      to operation: String = "register the highlight"
    ) -> Explanation {
      Explanation(id: id, what: "cannot \(operation)", why: why, facts: facts, category: category)
    }
    return switch self {
    case .unreachable(let operation, let reason): explain("backend.unreachable", reason, to: operation)
    case .backendDiskFull(let operation):
      explain("backend.disk-full", "the server's disk is full (507)", .remote, ["status": "507"], to: operation)
    case .notAuthorized(let operation, let reason):
      explain("account.not-authorized", reason, .notConfigured, to: operation)
    case .refused(let operation, let status, let reason):
      explain(
        "backend.refused", "the backend responded with \(status): \(reason)", .remote, ["status": "\(status)"],
        to: operation)
    case .alreadyRegistered: explain("highlight.exists", "the highlight already exists")
    case .alreadyUploaded: explain("highlight.uploaded", "the backend already has the clip")
    case .tokenRefused(let operation, let reason):
      explain("account.token-refused", reason, .notConfigured, to: operation)
    case .highlightsUnsupported(let operation):
      explain(
        "backend.no-highlights", "the mux backend supports videos but not highlights", .notConfigured, to: operation)
    case .highlightTaken: explain("highlight.foreign", "the highlight ID belongs to a different account", .rejected)
    case .unreadableAnswer(let operation, let reason):
      explain("backend.unreadable-answer", "the backend's response is invalid: \(reason)", to: operation)
    case .clipRejected(let reason):
      explain("highlight.clip-rejected", "the backend rejected the clip: \(reason)", .rejected)
    case .backendFailed(let reason):
      explain("highlight.backend-failed", "the backend has the clip but cannot process it: \(reason)")
    case .uploadCancelled: explain("highlight.upload-cancelled", "the upload was canceled")
    case .uploadTimedOut:
      explain("highlight.upload-expired", "the upload URL expired before the upload was complete")
    case .notReadyInTime(let seconds):
      explain(
        "highlight.not-ready", "the highlight was not ready after \(seconds) s", .remote, ["seconds": "\(seconds)"])
    }
  }
}
