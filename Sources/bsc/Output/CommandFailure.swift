import ClipModel

/// A failure of the command itself: an invalid request, or a request that the settings don't allow.
struct CommandFailure: ExplainedError {
  var explanation: Explanation

  init(_ explanation: Explanation) { self.explanation = explanation }

  /// - Parameters:
  ///   - text: the error's ID and its message template.
  ///   - facts: the values of the placeholders, and facts for the advice.
  ///   - category: overrides the category of `text`.
  init(_ text: ErrorText, _ facts: [String: String?] = [:], category: FailureCategory? = nil) {
    explanation = Explanation(text, facts.compactMapValues(\.self))
    explanation.category = category ?? text.category
  }
}
