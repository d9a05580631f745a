/// The text of an error. Placeholders such as `{file}` stand for facts.
public struct ErrorText: Equatable, Sendable {
  /// The ID, like `Explanation.id`.
  public let id: String
  /// The operation and its subject, like `Explanation.what`, with placeholders.
  public let what: String
  /// The cause, like `Explanation.why`, with placeholders.
  public let why: String
  /// The category of the failure.
  public let category: FailureCategory

  public init(_ id: String, _ what: String, _ why: String, _ category: FailureCategory) {
    self.id = id
    self.what = what
    self.why = why
    self.category = category
  }

  /// Replaces the placeholders with facts.
  /// - Parameters:
  ///   - template: text with placeholders.
  ///   - facts: the values by the names of the placeholders.
  /// - Returns: `nil` if a fact is missing.
  public static func fill(_ template: String, _ facts: [String: String]) -> String? {
    var text = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      guard let fact = facts[String(rest[rest.index(after: start)..<end])] else { return nil }
      text += rest[..<start] + fact
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }
}
