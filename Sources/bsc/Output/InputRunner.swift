import ClipModel

/// Works on several inputs: one that fails is reported, and the others continue.
enum InputRunner {
  /// Runs `body` for each input and ends the program's status with the worst failure (`ExitStatus`).
  ///
  /// - Parameters:
  ///   - lost: inputs that were found out to be unreadable before: told first, and counted with the others.
  ///   - findingsWin: as in `ExitStatus.code(forAll:findingsWin:)`.
  ///   - beforeError: ends a line of progress, so that the message begins on its own.
  ///   - body: returns why the input was refused, if it was; what it throws is told here. Cancellation ends everything.
  static func run<Input>(
    _ inputs: [Input], lost: [any ExplainedError] = [], named name: (Input) -> String, asJSON: Bool,
    findingsWin: Bool = false, beforeError: () -> Void = {},
    _ body: (Input) async throws -> FailureCategory?
  ) async throws -> Int32 {
    var failures: [FailureCategory] = []
    for error in lost {
      ErrorOutput.write(error.explanation, asJSON: asJSON)
      failures.append(error.explanation.category)
    }
    for input in inputs {
      do {
        if let refusal = try await body(input) { failures.append(refusal) }
      } catch let error as any ExplainedError {
        beforeError()
        ErrorOutput.write(error.explanation, subject: name(input), asJSON: asJSON)
        failures.append(error.explanation.category)
      }
    }
    // One input alone has its own reason.
    if inputs.count + lost.count == 1 { return failures.first.map(ExitStatus.code(for:)) ?? 0 }
    return ExitStatus.code(forAll: failures, findingsWin: findingsWin)
  }
}
