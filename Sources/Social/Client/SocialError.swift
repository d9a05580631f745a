public import ClipModel
import RowRequests

/// An error of the social layer. Contains the backend's own message, but no credentials.
public enum SocialError: ExplainedError, Equatable {
  /// The backend didn't respond, or responded with a temporary failure.
  case unreachable(operation: String, reason: String)
  /// The backend doesn't accept the credentials (401).
  case notAuthorized(operation: String, reason: String)
  /// The account isn't allowed to perform the operation (403): the content is hidden from it, or it is restricted.
  case forbidden(operation: String, reason: String)
  /// The object doesn't exist, or the account can't see it.
  case notFound(operation: String)
  /// The operation contradicts the current state (409).
  case conflict(operation: String, reason: String)
  /// A value violates a rule of the database (400).
  case invalid(operation: String, reason: String)
  /// The backend rejected the request for another reason.
  case refused(operation: String, status: Int, reason: String)
  /// The response violates the API contract.
  case unreadableAnswer(operation: String, reason: String)
  /// A text has no visible characters.
  case emptyText(operation: String)
  /// A search has no letters or digits.
  case emptySearch
  /// A text is longer than its limit.
  case textTooLong(operation: String, count: Int, limit: Int)
  /// A picture is larger than its limit.
  case pictureTooLarge(byteCount: Int, limit: Int)
  /// A waiting action can't be read, so it was removed from the queue.
  case unreadableAction
  /// The queue or the cache can't be read or written.
  case storage(operation: String, reason: String)
  /// A newer version created the queue or the cache.
  case storageNewer(path: String)

  /// Whether repeating the request can't succeed, because the backend decided about it or it is invalid.
  public var isRefusal: Bool {
    switch self {
    case .forbidden, .notFound, .conflict, .invalid, .refused, .emptyText, .emptySearch, .textTooLong, .pictureTooLarge,
      .unreadableAction:
      true
    case .unreachable, .notAuthorized, .unreadableAnswer, .storage, .storageNewer: false
    }
  }

  public var explanation: Explanation {
    func makeExplanation(
      _ id: String, _ operation: String, _ why: String, _ category: FailureCategory, _ facts: [String: String] = [:]
    ) -> Explanation {
      Explanation(id: id, what: "cannot \(operation)", why: why, facts: facts, category: category)
    }
    return switch self {
    case .unreachable(let operation, let reason): makeExplanation("backend.unreachable", operation, reason, .remote)
    case .notAuthorized(let operation, let reason):
      makeExplanation("account.not-authorized", operation, reason, .notConfigured)
    case .forbidden(let operation, let reason):
      makeExplanation("social.forbidden", operation, reason, .rejected)
    case .notFound(let operation):
      makeExplanation("social.not-found", operation, "it doesn't exist, or you can't see it", .noInput)
    case .conflict(let operation, let reason): makeExplanation("social.conflict", operation, reason, .rejected)
    case .invalid(let operation, let reason): makeExplanation("social.invalid", operation, reason, .rejected)
    case .refused(let operation, let status, let reason):
      makeExplanation(
        "backend.refused", operation, "the backend responded with \(status): \(reason)", .remote,
        ["status": "\(status)"])
    case .unreadableAnswer(let operation, let reason):
      makeExplanation("backend.unreadable-answer", operation, "the backend's response is invalid: \(reason)", .remote)
    case .emptyText(let operation):
      makeExplanation("social.no-text", operation, "the text has no visible characters", .usage)
    case .emptySearch: makeExplanation("social.empty-search", "search", "the query has no letters or digits", .usage)
    case .textTooLong(let operation, let count, let limit):
      makeExplanation(
        "social.text-too-long", operation, "the text has \(count) characters, but the limit is \(limit)", .rejected,
        ["count": "\(count)", "limit": "\(limit)"])
    case .pictureTooLarge(let count, let limit):
      makeExplanation(
        "social.picture-too-large", "store the picture", "it has \(count) bytes, but the limit is \(limit)", .rejected,
        ["count": "\(count)", "limit": "\(limit)"])
    case .unreadableAction:
      makeExplanation(
        "social.unreadable-action", "send a waiting action", "the queue's entry is damaged; it was removed",
        .inputOutput)
    case .storage(let operation, let reason): makeExplanation("social.storage", operation, reason, .inputOutput)
    case .storageNewer(let path):
      makeExplanation(
        "social.storage-newer", "open \(path)", "the database was written by a newer version", .notConfigured,
        ["path": path])
    }
  }
}

extension SocialError {
  /// The error of a response whose status isn't 2xx.
  init(_ response: RowResponse, of request: RowRequest) {
    let body = ErrorBody(response.body)
    let (operation, reason) = (request.operation, body.reason)
    self =
      switch response.status {
      case 401: .notAuthorized(operation: operation, reason: reason)
      // PostgreSQL's text contains only the name of the rule.
      case 400 where reason.contains("\"profiles_username_check\""):
        .invalid(operation: operation, reason: "a username has 3 to 30 letters, digits, _ and ., and some are reserved")
      case 409 where reason.contains("\"profiles_username"):
        .conflict(operation: operation, reason: "another account has this username")
      // PostgreSQL's text names only the table.
      case 403 where reason.contains("row-level security"):
        .forbidden(operation: operation, reason: "it doesn't exist, or you have no access to it")
      case 403: .forbidden(operation: operation, reason: reason)
      case 404 where !body.isMissingFeature: .notFound(operation: operation)
      case 408, 425, 429, 500...599:
        .unreachable(operation: operation, reason: "the backend responded with \(response.status): \(reason)")
      // The row that the new row refers to doesn't exist.
      case 409 where body.code == "23503": .notFound(operation: operation)
      case 409: .conflict(operation: operation, reason: reason)
      case 400, 422: .invalid(operation: operation, reason: reason)
      default: .refused(operation: operation, status: response.status, reason: reason)
      }
  }
}
