public import ClipModel

/// An error in the engine: settings, journal, locks or jobs. Errors about files are `DurableFileError`.
public struct ShareEngineError: ExplainedError, Equatable {
  public let explanation: Explanation

  public init(_ explanation: Explanation) { self.explanation = explanation }

  /// - Parameters:
  ///   - text: the ID and the text.
  ///   - facts: the values of the placeholders, and additional facts for the advice. `nil` values are omitted.
  ///   - category: overrides the text's category.
  package init(_ text: ErrorText, _ facts: [String: String?] = [:], category: FailureCategory? = nil) {
    var explanation = Explanation(text, facts.compactMapValues(\.self))
    explanation.category = category ?? text.category
    self.init(explanation)
  }
}
