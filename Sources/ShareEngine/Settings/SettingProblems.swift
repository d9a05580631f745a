public import ClipModel

/// Several settings that cannot be used: whoever corrects them wants to hear of all at once.
public struct SettingProblems: ExplainedError, Equatable {
  public let explanations: [Explanation]
  public var explanation: Explanation { explanations[0] }

  /// Throws what there is: a single one as it is.
  static func end(with problems: [ShareEngineError]) throws {
    guard problems.count > 1 else {
      if let problem = problems.first { throw problem }
      return
    }
    throw SettingProblems(explanations: problems.map(\.explanation))
  }
}

extension [ShareEngineError] {
  /// Runs a part of the work; what the engine says against it joins the others.
  mutating func collect<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let problem as ShareEngineError {
      append(problem)
      return nil
    }
  }
}
