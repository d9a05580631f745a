public import ClipModel

/// An error about settings, the journal, locks or jobs. File errors have the type `DurableFileError`.
public struct ShareEngineError: ExplainedError, Equatable {
  public let explanation: Explanation

  public init(_ explanation: Explanation) { self.explanation = explanation }

  /// - Parameters:
  ///   - text: the error's ID and message template.
  ///   - facts: the values for the template's placeholders, and additional values for the advice. `nil` values are
  ///     omitted.
  ///   - category: the failure category, or `nil` to use the template's category.
  package init(_ text: ErrorText, _ facts: [String: String?] = [:], category: FailureCategory? = nil) {
    var explanation = Explanation(text, facts.compactMapValues(\.self))
    explanation.category = category ?? text.category
    self.init(explanation)
  }
}
