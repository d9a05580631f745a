/// What kind of failure this is. The `bsc` target alone maps it to an exit status (`ExitStatus`).
public enum FailureCategory: String, Codable, Sendable, CaseIterable {
  /// A defect or something nobody foresaw.
  case unexpected
  /// The file could not be judged: unreadable content, a time limit, a codec that is missing.
  case unjudged
  /// Refused by the rules, or something was found that must not be there.
  case rejected
  /// Not configured, or not signed in.
  case notConfigured
  /// The remote gave up or is out of reach; the job is saved.
  case remote
  /// Another process holds the job.
  case locked
  /// The command line is wrong.
  case usage
  /// The input is missing or unreadable.
  case noInput
  /// Disk full or an input/output error.
  case inputOutput
  /// Interrupted by the user; the state is saved.
  case interrupted
}

/// What a failure tells a person: what failed, why, and what to do next.
///
/// The three texts are lower-case phrases without a full stop, so that they can be joined:
/// `error: cannot upload rally.mp4: the server answered 403` and `next: run "bsc resume"`.
/// They never hold a secret (an upload URL, a token).
public struct Explanation: Codable, Equatable, Sendable {
  /// The operation and its subject: `cannot upload rally.mp4`.
  public var what: String
  /// The cause: `the server answered 403 (upload URL expired)`.
  public var why: String
  /// A command or setting that helps: `run "bsc resume" to request a new URL`.
  public var next: String?
  /// What kind of failure it is.
  public var category: FailureCategory

  public init(what: String, why: String, next: String? = nil, category: FailureCategory) {
    self.what = what
    self.why = why
    self.next = next
    self.category = category
  }
}

/// An error that can be shown to a person as it is. Every target's own error type conforms.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
  /// What failed, why, and what helps: for people, without secrets.
  var explanation: Explanation { get }
  /// Where several things are wrong: each by itself, `explanation` being the first.
  var explanations: [Explanation] { get }
  /// Nothing is wrong but that there is no room: the same may succeed when there is.
  var isDiskFull: Bool { get }
  /// A disk or a network stumbled: the same may succeed a moment later.
  var mayPass: Bool { get }
}

extension ExplainedError {
  public var explanations: [Explanation] { [explanation] }
  public var isDiskFull: Bool { false }
  public var mayPass: Bool { false }

  public var description: String { "\(explanation.what): \(explanation.why)" }
}
