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
  /// It has every byte, and cannot make a clip of them now.
  case backendInTrouble(reason: String)
  /// The upload was cancelled.
  case uploadCancelled
  /// The upload's URL ended before all bytes were there.
  case uploadTimedOut
  /// Every byte is there, but no highlight within the time we wait.
  case notReadyInTime(seconds: Int64)

  public var explanation: Explanation {
    let register = "cannot register the highlight"
    return switch self {
    case .outOfReach(let operation, let reason):
      Explanation(
        what: "cannot \(operation)", why: reason, next: "run \"bsc resume\" when the backend can be reached",
        category: .remote)
    case .backendDiskFull(let operation):
      Explanation(
        what: "cannot \(operation)", why: "the server's disk is full (507)",
        next: "make room there, then run \"bsc resume\"", category: .remote)
    case .notAuthorised(let operation, let reason):
      Explanation(
        what: "cannot \(operation)", why: reason, next: "run \"bsc login\", then \"bsc resume\"",
        category: .notConfigured)
    case .refused(let operation, let status, let reason):
      Explanation(
        what: "cannot \(operation)", why: "the backend answered \(status): \(reason)",
        next: "check the backend with \"bsc doctor\"", category: .remote)
    case .alreadyRegistered:
      Explanation(
        what: register, why: "the backend has it already", next: "see it with \"bsc highlights list\"",
        category: .remote)
    case .alreadyUploaded:
      Explanation(
        what: register, why: "the backend has all of the clip already", next: "run \"bsc resume\"", category: .remote)
    case .tokenRefused(let operation, let reason):
      Explanation(
        what: "cannot \(operation)", why: reason,
        next: "check BSC_MUX_TOKEN_ID and BSC_MUX_TOKEN_SECRET, then run \"bsc resume\"", category: .notConfigured)
    case .keepsNoHighlights(let operation):
      Explanation(
        what: "cannot \(operation)", why: "the backend mux registers none: it has videos only",
        next: "see what you uploaded with \"bsc jobs list --all\", and Mux's dashboard", category: .notConfigured)
    case .highlightTaken:
      Explanation(
        what: register, why: "its id belongs to a highlight of another account",
        next: "share it with --force to give it an id of its own", category: .rejected)
    case .unreadableAnswer(let operation, let reason):
      Explanation(
        what: "cannot \(operation)", why: "the backend's answer cannot be read: \(reason)",
        next: "check the backend's address with \"bsc config show\"", category: .remote)
    case .clipRejected(let reason):
      Explanation(
        what: register, why: "the backend rejected the clip: \(reason)",
        next: "check the file with \"bsc validate\"", category: .rejected)
    case .backendInTrouble(let reason):
      Explanation(
        what: register, why: "the backend has the clip, but not what it needs: \(reason)",
        next: reason.contains("disk full") ? "make room there, then run \"bsc resume\"" : "run \"bsc resume\" later",
        category: .remote)
    case .uploadCancelled:
      Explanation(
        what: register, why: "the upload was cancelled", next: "share the clip again to publish it",
        category: .remote)
    case .uploadTimedOut:
      Explanation(
        what: register, why: "the upload URL ended before every byte was there",
        next: "run \"bsc resume\" to begin a new upload", category: .remote)
    case .notReadyInTime(let seconds):
      Explanation(
        what: register, why: "the backend was not ready after \(seconds) s",
        next: "run \"bsc resume\" to go on waiting",
        category: .remote)
    }
  }
}
