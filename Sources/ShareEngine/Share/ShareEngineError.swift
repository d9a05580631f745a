public import ClipModel

/// The engine's own failures: settings, journal, locks. Those of files come as `DurableFileError`.
public struct ShareEngineError: ExplainedError, Equatable {
  public let explanation: Explanation

  /// With these words.
  public init(_ explanation: Explanation) { self.explanation = explanation }

  init(what: String, why: String, next: String? = nil, category: FailureCategory) {
    self.init(Explanation(what: what, why: why, next: next, category: category))
  }
}
