/// The category of a failure. Only the `bsc` target maps it to an exit status (`ExitStatus`).
public enum FailureCategory: String, Codable, Sendable, CaseIterable {
  /// A bug, or a failure without another category.
  case unexpected
  /// The file could not be validated: unreadable content, a time limit, a missing codec.
  case unjudged
  /// Rejected by the rules, or the file contains data that must not be published.
  case rejected
  /// Not configured or not signed in.
  case notConfigured
  /// The server failed or cannot be reached. The job is saved.
  case remote
  /// Another process is using the job.
  case locked
  /// The command line is invalid.
  case usage
  /// The input is missing or unreadable.
  case noInput
  /// The disk is full, or an input/output error occurred.
  case inputOutput
  /// Interrupted by the user. The state is saved.
  case interrupted
}

/// A failure, for people and programs: an ID, two phrases and the facts.
///
/// `what` and `why` are lower-case phrases without a period, so that they can be joined:
/// `error: cannot upload rally.mp4: the server responded with 403`. Programs use `id` and `facts`. Advice is not
/// included: it depends on the program, which chooses it by `id`. No field holds a secret (an upload URL, a token).
public struct Explanation: Equatable, Sendable {
  /// The ID as `area.reason`: `upload.url-expired`. Its meaning does not change in later versions.
  public var id: String
  /// The operation and its subject: `cannot upload rally.mp4`.
  public var what: String
  /// The cause: `the upload URL has expired`.
  public var why: String
  /// The values by name: `["file": "rally.mp4", "status": "403"]`. `file` is the input that the failure
  /// is about, and `output` the file that could not be written.
  public var facts: [String: String]
  /// The category of the failure.
  public var category: FailureCategory

  public init(id: String, what: String, why: String, facts: [String: String] = [:], category: FailureCategory) {
    self.id = id
    self.what = what
    self.why = why
    self.facts = facts
    self.category = category
  }

  /// Creates an explanation from a text with placeholders.
  /// - Parameters:
  ///   - text: the ID and the phrases.
  ///   - facts: a value for each placeholder.
  public init(_ text: ErrorText, _ facts: [String: String] = [:]) {
    self.init(
      id: text.id, what: ErrorText.fill(text.what, facts) ?? text.what,
      why: ErrorText.fill(text.why, facts) ?? text.why,
      facts: facts, category: text.category)
  }
}

extension Explanation: Codable {
  private enum CodingKeys: CodingKey {
    case id, what, why, next, facts, category
  }

  /// An encoder with this entry in its `userInfo`, a function that returns the advice for an explanation, also writes
  /// `next`.
  public static let adviceKey = CodingUserInfoKey(rawValue: "advice")

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIfPresent(String.self, forKey: .id) ?? "error.unknown"
    what = try container.decode(String.self, forKey: .what)
    why = try container.decode(String.self, forKey: .why)
    facts = try container.decodeIfPresent([String: String].self, forKey: .facts) ?? [:]
    category = try container.decode(FailureCategory.self, forKey: .category)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(what, forKey: .what)
    try container.encode(why, forKey: .why)
    let advice = Self.adviceKey.flatMap { encoder.userInfo[$0] } as? @Sendable (Explanation) -> String?
    try container.encodeIfPresent(advice?(self), forKey: .next)
    if !facts.isEmpty { try container.encode(facts, forKey: .facts) }
    try container.encode(category, forKey: .category)
  }
}

/// An error that can be shown to users. The error types of all targets conform.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
  /// What failed and why, without secrets.
  var explanation: Explanation { get }
  /// The explanations if there are several failures; `explanation` is the first.
  var explanations: [Explanation] { get }
  /// The disk is full. The operation may succeed when there is space again.
  var isDiskFull: Bool { get }
  /// A temporary failure of a disk or a network. The operation may succeed a moment later.
  var isTransient: Bool { get }
}

extension ExplainedError {
  public var explanations: [Explanation] { [explanation] }
  public var isDiskFull: Bool { false }
  public var isTransient: Bool { false }

  public var description: String { "\(explanation.what): \(explanation.why)" }
}
