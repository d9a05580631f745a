public import ClipModel

/// An error of this library: a stable ID and the values that caused it.
public struct RecruitingError: ExplainedError, Equatable {
  /// The ID in the form `recruiting.reason`, or one that other clients of the backend use, too. The meaning of an ID never
  /// changes.
  public enum ID: String, Sendable, CaseIterable {
    /// A handle is empty. Facts: `platform`.
    case handleEmpty = "recruiting.handle-empty"
    /// A handle contains a character that the platform doesn't allow, such as a space or an emoji. Facts: `platform`,
    /// `handle`, `character`.
    case handleCharacter = "recruiting.handle-character"
    /// A handle is too long. Facts: `platform`, `handle`, `length`, `limit`.
    case handleLength = "recruiting.handle-length"
    /// An address belongs to another website. Facts: `platform`, `handle`, `host`.
    case handleHost = "recruiting.handle-host"
    /// An address is not that of a profile. Facts: `platform`, `handle`.
    case handleAddress = "recruiting.handle-address"
    /// An address is not that of a post. Facts: `platform`, `address`.
    case postAddress = "recruiting.post-address"
    /// A value of a filter is unknown. Facts: `name`, `value`.
    case filter = "recruiting.filter"
    /// A time zone is unknown. Facts: `zone`.
    case timeZone = "recruiting.time-zone"
    /// A table has no header. No facts.
    case importEmpty = "recruiting.import-empty"
    /// A table lacks required columns. Facts: `columns`, `found`.
    case importColumns = "recruiting.import-columns"
    /// A table has the same column twice. Facts: `column`.
    case importColumnTwice = "recruiting.import-column-twice"
    /// A table has too many rows. Facts: `rows`, `limit`.
    case importRows = "recruiting.import-rows"
    /// A required text has no visible characters. Facts: `field`.
    case textEmpty = "recruiting.no-text"
    /// A text is longer than its limit. Facts: `field`, `count`, `limit`.
    case textTooLong = "recruiting.text-too-long"
    /// A time has an unknown form. Facts: `time`.
    case time = "recruiting.time"
    /// There is no family, school, coach or other thing with this name or ID. Facts: `kind`, `name`.
    case unknownName = "recruiting.unknown-name"
    /// Several things have this name, or IDs that start with it. Facts: `kind`, `name`.
    case ambiguousName = "recruiting.ambiguous-name"
    /// The role or the row doesn't allow the operation (403). Facts: `operation`, `reason`.
    case forbidden = "recruiting.forbidden"
    /// A row doesn't exist, or the account can't see it. Facts: `operation`.
    case notFound = "recruiting.not-found"
    /// An invitation was used or has expired (410). Facts: `operation`, `reason`.
    case gone = "recruiting.gone"
    /// The operation contradicts the current state (409). Facts: `operation`, `reason`.
    case conflict = "recruiting.conflict"
    /// A value violates a rule of the database (400). Facts: `operation`, `reason`.
    case invalid = "recruiting.invalid"
    /// Another sync of the family has started, because this one stored nothing for ten minutes (409). Facts: `operation`.
    case syncLost = "recruiting.sync-lost"
    /// The backend allows the operation again later (429). Facts: `operation`, `seconds`.
    case rateLimited = "recruiting.rate-limited"
    /// The backend didn't respond, or responded with a temporary failure. Facts: `operation`, `reason`.
    case unreachable = "backend.unreachable"
    /// The backend doesn't accept the credentials (401). Facts: `operation`, `reason`.
    case notAuthorized = "account.not-authorized"
    /// The backend rejected the request for another reason. Facts: `operation`, `reason`, `status`.
    case refused = "backend.refused"
    /// A response is not as documented. Facts: `operation`, `reason`.
    case unreadableAnswer = "backend.unreadable-answer"
  }

  /// The ID, for control flow.
  public let id: ID
  /// The values, keyed by name.
  public let facts: [String: String]

  /// Creates an error.
  public init(_ id: ID, _ facts: [String: String] = [:]) {
    self.id = id
    self.facts = facts
  }

  public var explanation: Explanation {
    var explanation = Explanation(id.text, facts)
    // Other clients have the same ID with other advice.
    if !id.rawValue.hasPrefix("recruiting.") { explanation.facts["client"] = "recruiting" }
    return explanation
  }
}

extension RecruitingError.ID {
  /// The texts and the category of the error.
  fileprivate var text: ErrorText {
    func text(_ what: String, _ why: String, _ category: FailureCategory) -> ErrorText {
      ErrorText(rawValue, what, why, category)
    }
    let operation = "cannot {operation}"
    return switch self {
    case .handleEmpty: text("cannot use the {platform} handle", "it is empty", .usage)
    case .handleCharacter:
      text("cannot use the handle {handle}", "handles on {platform} don't contain \"{character}\"", .usage)
    case .handleLength:
      text("cannot use the handle {handle}", "it has {length} characters, but the limit is {limit}", .usage)
    case .handleHost: text("cannot use the handle {handle}", "{host} is not a website of {platform}", .usage)
    case .handleAddress: text("cannot use the handle {handle}", "it is not the address of a profile", .usage)
    case .postAddress:
      text("cannot use the address {address}", "it is not the address of a post on {platform}", .usage)
    case .filter: text("cannot filter by {name}", "the value {value} is unknown", .usage)
    case .timeZone: text("cannot use the time zone {zone}", "it is unknown", .usage)
    case .importEmpty: text("cannot import the table", "it has no header", .noInput)
    case .importColumns:
      text("cannot import the table", "it needs the columns {columns}, but has only: {found}", .noInput)
    case .importColumnTwice: text("cannot import the table", "it has the column {column} twice", .noInput)
    case .importRows: text("cannot import the table", "it has {rows} rows, but the limit is {limit}", .noInput)
    case .textEmpty: text("cannot use the {field}", "it has no visible characters", .usage)
    case .textTooLong:
      text("cannot use the {field}", "it has {count} characters, but the limit is {limit}", .rejected)
    case .time: text("cannot use the time {time}", "it is not a date or a time", .usage)
    case .unknownName: text("cannot find {name}", "there is no {kind} with this name or ID", .noInput)
    case .ambiguousName: text("cannot choose {name}", "more than one {kind} matches", .usage)
    case .forbidden: text(operation, "{reason}", .rejected)
    case .notFound: text(operation, "it doesn't exist, or you can't see or change it", .noInput)
    case .gone: text(operation, "{reason}", .rejected)
    case .conflict: text(operation, "{reason}", .rejected)
    case .invalid: text(operation, "{reason}", .rejected)
    case .syncLost: text(operation, "another sync of the family has started", .locked)
    case .rateLimited: text(operation, "the backend allows it again in {seconds} s", .remote)
    case .unreachable: text(operation, "{reason}", .remote)
    case .notAuthorized: text(operation, "{reason}", .notConfigured)
    case .refused: text(operation, "the backend responded with {status}: {reason}", .remote)
    case .unreadableAnswer: text(operation, "the backend's response is invalid: {reason}", .remote)
    }
  }
}
