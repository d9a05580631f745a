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
    func makeExplanation(
      _ id: String, _ why: String, _ category: FailureCategory = .remote, _ facts: [String: String] = [:],
      to operation: String = "register the highlight"
    ) -> Explanation {
      Explanation(id: id, what: "cannot \(operation)", why: why, facts: facts, category: category)
    }
    return switch self {
    case .unreachable(let operation, let reason): makeExplanation("backend.unreachable", reason, to: operation)
    case .backendDiskFull(let operation):
      makeExplanation("backend.disk-full", "the server's disk is full (507)", .remote, ["status": "507"], to: operation)
    case .notAuthorized(let operation, let reason):
      makeExplanation("account.not-authorized", reason, .notConfigured, to: operation)
    case .refused(let operation, let status, let reason):
      makeExplanation(
        "backend.refused", "the backend responded with \(status): \(reason)", .remote, ["status": "\(status)"],
        to: operation)
    case .alreadyRegistered: makeExplanation("highlight.exists", "the highlight already exists")
    case .alreadyUploaded: makeExplanation("highlight.uploaded", "the backend already has the clip")
    case .tokenRefused(let operation, let reason):
      makeExplanation("account.token-refused", reason, .notConfigured, to: operation)
    case .highlightsUnsupported(let operation):
      makeExplanation(
        "backend.no-highlights", "the mux backend supports videos but not highlights", .notConfigured, to: operation)
    case .highlightTaken:
      makeExplanation("highlight.foreign", "the highlight ID belongs to a different account", .rejected)
    case .unreadableAnswer(let operation, let reason):
      makeExplanation("backend.unreadable-answer", "the backend's response is invalid: \(reason)", to: operation)
    case .clipRejected(let reason):
      makeExplanation("highlight.clip-rejected", "the backend rejected the clip: \(reason)", .rejected)
    case .backendFailed(let reason):
      makeExplanation("highlight.backend-failed", "the backend has the clip but cannot process it: \(reason)")
    case .uploadCancelled: makeExplanation("highlight.upload-cancelled", "the upload was canceled")
    case .uploadTimedOut:
      makeExplanation("highlight.upload-expired", "the upload URL expired before the upload was complete")
    case .notReadyInTime(let seconds):
      makeExplanation(
        "highlight.not-ready", "the highlight was not ready after \(seconds) s", .remote, ["seconds": "\(seconds)"])
    }
  }
}
