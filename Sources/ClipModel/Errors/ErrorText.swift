/// An error's id and sentence, where `{file}` stands for the fact `file`.
public struct ErrorText: Equatable, Sendable {
  /// As in `Explanation.id`.
  public let id: String
  /// As in `Explanation.what`, with placeholders.
  public let what: String
  /// As in `Explanation.why`, with placeholders.
  public let why: String
  /// What kind of failure it is.
  public let category: FailureCategory

  public init(_ id: String, _ what: String, _ why: String, _ category: FailureCategory) {
    self.id = id
    self.what = what
    self.why = why
    self.category = category
  }

  /// Replaces each placeholder with its fact.
  /// - Parameters:
  ///   - template: text with placeholders.
  ///   - facts: by the names in the placeholders.
  /// - Returns: `nil` when a fact is missing.
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
