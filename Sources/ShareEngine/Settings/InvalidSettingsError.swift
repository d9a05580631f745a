public import ClipModel

/// An error that reports several invalid settings together, so that the user can fix all of them at once.
public struct InvalidSettingsError: ExplainedError, Equatable {
  public let explanations: [Explanation]
  public var explanation: Explanation { explanations[0] }

  /// Throws the given errors, if there are any. A single error is thrown unchanged.
  static func throwIfNotEmpty(_ problems: [ShareEngineError]) throws {
    if problems.count > 1 { throw InvalidSettingsError(explanations: problems.map(\.explanation)) }
    if let problem = problems.first { throw problem }
  }
}

extension [ShareEngineError] {
  /// Runs `body`. If it throws a `ShareEngineError`, appends the error instead of rethrowing it.
  mutating func collectErrors<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let problem as ShareEngineError {
      append(problem)
      return nil
    }
  }
}
