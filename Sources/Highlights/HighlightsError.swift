public import ClipModel

/// Why a backend did not do what was asked. Holds the backend's own words, never a key or an upload URL.
public enum HighlightsError: ExplainedError, Equatable {
  /// No answer, or only failures, until the retries were over.
  case outOfReach(operation: String, reason: String)
  /// 507, until the retries were over.
  case backendDiskFull(operation: String)
  /// 401, 403: not signed in, or not allowed.
  case notAuthorised(operation: String, reason: String)
  /// The backend refused for good.
  case refused(operation: String, status: Int, reason: String)
  /// The backend has this highlight already: nothing needs to be uploaded, the row can be read by its id.
  case alreadyRegistered
  /// The backend has every byte of this clip already, in that upload: only its end is to be waited for.
  case alreadyUploaded(uploadID: String)
  /// The access token for Mux is unknown there, or may not do this.
  case tokenRefused(operation: String, reason: String)
  /// The backend has videos and no rows about them.
  case keepsNoHighlights(operation: String)
  /// The highlight's id belongs to another account: it can never become ours.
  case highlightTaken
  /// The answer does not follow the contract.
  case unreadableAnswer(operation: String, reason: String)
  /// The backend could not make a playable clip from the bytes.
  case clipRejected(reason: String)
  /// The backend ended the whole post because of another clip in it.
  case postFailed(reason: String)
  /// It has every byte, and cannot make a clip of them now.
  case backendInTrouble(reason: String)
  /// The upload was cancelled.
  case uploadCancelled
  /// The upload's URL ended before all bytes were there.
  case uploadTimedOut
  /// Every byte is there, but no highlight within the time we wait.
  case notReadyInTime(seconds: Int64)

  public var explanation: Explanation {
    func explain(
      _ id: String, _ why: String, _ category: FailureCategory = .remote, _ facts: [String: String] = [:],
      to operation: String = "register the highlight"
    ) -> Explanation {
      Explanation(id: id, what: "cannot \(operation)", why: why, facts: facts, category: category)
    }
    return switch self {
    case .outOfReach(let operation, let reason): explain("backend.unreachable", reason, to: operation)
    case .backendDiskFull(let operation):
      explain("backend.disk-full", "the server's disk is full (507)", .remote, ["status": "507"], to: operation)
    case .notAuthorised(let operation, let reason):
      explain("account.not-authorized", reason, .notConfigured, to: operation)
    case .refused(let operation, let status, let reason):
      explain(
        "backend.refused", "the backend answered \(status): \(reason)", .remote, ["status": "\(status)"], to: operation)
    case .alreadyRegistered: explain("highlight.exists", "the backend already has it")
    case .alreadyUploaded: explain("highlight.uploaded", "the backend already has the clip")
    case .tokenRefused(let operation, let reason):
      explain("account.token-refused", reason, .notConfigured, to: operation)
    case .keepsNoHighlights(let operation):
      explain("backend.no-highlights", "the backend mux has videos, not highlights", .notConfigured, to: operation)
    case .highlightTaken: explain("highlight.foreign", "its id belongs to a highlight of another account", .rejected)
    case .unreadableAnswer(let operation, let reason):
      explain("backend.unreadable-answer", "the backend's answer is invalid: \(reason)", to: operation)
    case .clipRejected(let reason):
      explain("highlight.clip-rejected", "the backend rejected the clip: \(reason)", .rejected)
    case .postFailed(let reason): explain("highlight.post-failed", reason, .rejected)
    case .backendInTrouble(let reason):
      explain("highlight.backend-failed", "the backend has the clip but cannot process it: \(reason)")
    case .uploadCancelled: explain("highlight.upload-cancelled", "the upload was cancelled")
    case .uploadTimedOut:
      explain("highlight.upload-expired", "the upload URL expired before the upload was complete")
    case .notReadyInTime(let seconds):
      explain(
        "highlight.not-ready", "the backend was not ready after \(seconds) s", .remote, ["seconds": "\(seconds)"])
    }
  }
}
