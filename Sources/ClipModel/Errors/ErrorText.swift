/// An error message template. Placeholders such as `{file}` are replaced with values.
public struct ErrorText: Equatable, Sendable {
  /// The error ID, like `Explanation.id`.
  public let id: String
  /// The failed operation and its subject, like `Explanation.what`, with placeholders.
  public let what: String
  /// The cause of the error, like `Explanation.why`, with placeholders.
  public let why: String
  /// The category of the failure.
  public let category: FailureCategory

  public init(_ id: String, _ what: String, _ why: String, _ category: FailureCategory) {
    self.id = id
    self.what = what
    self.why = why
    self.category = category
  }

  /// Replaces the placeholders in a template with values.
  /// - Parameters:
  ///   - template: a string that may contain placeholders.
  ///   - facts: the values, keyed by placeholder name.
  /// - Returns: the completed text, or `nil` if a placeholder has no value.
  public static func fillPlaceholders(_ template: String, _ facts: [String: String]) -> String? {
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
