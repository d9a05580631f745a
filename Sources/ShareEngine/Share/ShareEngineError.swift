public import ClipModel

/// The engine's own failures: settings, journal, locks. Failures of files are `DurableFileError`.
public struct ShareEngineError: ExplainedError, Equatable {
  public let explanation: Explanation

  /// With an explanation from elsewhere.
  public init(_ explanation: Explanation) { self.explanation = explanation }

  /// - Parameters:
  ///   - text: the id and the sentence.
  ///   - facts: a value for each placeholder, and what advice needs besides.
  ///   - category: where it differs from the text's.
  package init(_ text: ErrorText, _ facts: [String: String?] = [:], category: FailureCategory? = nil) {
    var explanation = Explanation(text, facts.compactMapValues(\.self))
    explanation.category = category ?? text.category
    self.init(explanation)
  }
}
