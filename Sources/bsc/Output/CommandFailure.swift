import ClipModel

/// A failure of the command line itself: an invalid request, or one that the settings don't allow.
struct CommandFailure: ExplainedError {
  var explanation: Explanation

  init(_ explanation: Explanation) { self.explanation = explanation }

  /// - Parameters:
  ///   - text: the ID and the sentence.
  ///   - facts: a value for each placeholder, and facts for the advice.
  ///   - category: overrides the category of the text.
  init(_ text: ErrorText, _ facts: [String: String?] = [:], category: FailureCategory? = nil) {
    explanation = Explanation(text, facts.compactMapValues(\.self))
    explanation.category = category ?? text.category
  }
}
