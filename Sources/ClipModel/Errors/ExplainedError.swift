/// The category of a failure. Only the `bsc` executable maps categories to exit codes (`ExitStatus`).
public enum FailureCategory: String, Codable, Sendable, CaseIterable {
  /// A bug, or a failure that fits no other category.
  case unexpected
  /// The file could not be validated because its content is unreadable, a codec is missing, or the time limit was
  /// exceeded.
  case unjudged
  /// The rules reject the clip, or the file contains data that must not be published.
  case rejected
  /// bsc is not configured, or the user is not signed in.
  case notConfigured
  /// The server failed or is unreachable. The job is saved.
  case remote
  /// Another process is using the job.
  case locked
  /// The command line is invalid.
  case usage
  /// The input is missing or unreadable.
  case noInput
  /// The disk is full, or an I/O error occurred.
  case inputOutput
  /// The user interrupted the operation. Its state is saved.
  case interrupted
}

/// Describes a failure for both users and programs: an ID, two phrases and the relevant values.
///
/// `what` and `why` are lowercase phrases without a period, so they can be joined: `error: cannot upload rally.mp4: the
/// server responded with 403`. Programs use `id` and `facts`. Advice isn't part of an explanation: each program chooses
/// its own advice by `id`. No field contains a secret such as an upload URL or a token.
public struct Explanation: Equatable, Sendable {
  /// The error ID in the form `area.reason`: `upload.url-expired`. The meaning of an ID never changes.
  public var id: String
  /// The failed operation and its subject: `cannot upload rally.mp4`.
  public var what: String
  /// The cause of the failure: `the upload URL has expired`.
  public var why: String
  /// The values, keyed by name: `["file": "rally.mp4", "status": "403"]`. `file` is the input that caused the failure,
  /// and `output` is the file that could not be written.
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

  /// Creates an explanation from an error message template.
  /// - Parameters:
  ///   - text: the template with the ID and the phrases.
  ///   - facts: a value for each placeholder.
  public init(_ text: ErrorText, _ facts: [String: String] = [:]) {
    self.init(
      id: text.id, what: ErrorText.fillPlaceholders(text.what, facts) ?? text.what,
      why: ErrorText.fillPlaceholders(text.why, facts) ?? text.why,
      facts: facts, category: text.category)
  }

  /// Whether one of the facts is a file with the name of `path`.
  package func names(_ path: String) -> Bool {
    let name = path.split(separator: "/").last
    return name != nil && facts.values.contains { $0.split(separator: "/").last == name }
  }
}

extension Explanation: Codable {
  private enum CodingKeys: CodingKey {
    case id, what, why, next, facts, category
  }

  /// The `userInfo` key for a function that returns the advice for an explanation. If an encoder has this entry, it
  /// also writes `next`.
  public static let adviceKey = CodingUserInfoKey(rawValue: "advice")

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
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

/// An error that can be shown to users. The error types of all targets conform to this protocol.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
  /// What failed and why, without secrets.
  var explanation: Explanation { get }
  /// All explanations if several operations failed. The first one equals `explanation`.
  var explanations: [Explanation] { get }
  /// Whether the disk is full. The operation may succeed after space is freed.
  var isDiskFull: Bool { get }
  /// Whether a disk or network failure is temporary. If it is, a retry may succeed.
  var isTransient: Bool { get }
}

extension ExplainedError {
  public var explanations: [Explanation] { [explanation] }
  public var isDiskFull: Bool { false }
  public var isTransient: Bool { false }

  public var description: String { "\(explanation.what): \(explanation.why)" }
}
