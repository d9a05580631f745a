import ClipModel

/// Work on several inputs: one that fails is told, and the others go on.
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
    return code(of: inputs.count + lost.count, failures, findingsWin: findingsWin)
  }

  /// Each in two steps: `make` one after the other, in order; `finish` up to `width` at a time, while the next are made.
  ///
  /// - Parameters:
  ///   - name: of the input, or of the part of it that a failure is about.
  ///   - failed: why others of the same command failed before.
  ///   - settledCount: of others that were done before, and well.
  ///   - tell: writes a failure, when nobody else writes.
  ///   - finish: returns why the input was refused, if it was.
  static func run<Input: Sendable, Made: Sendable>(
    _ inputs: [Input], width: Int, named name: @escaping @Sendable (Input, Explanation) -> String,
    failed: [FailureCategory] = [], settledCount: Int = 0,
    tell: @escaping @Sendable (Explanation, _ subject: String) -> Void,
    make: (Input) async throws -> Made, finish: @escaping @Sendable (Input, Made) async throws -> FailureCategory?
  ) async throws -> Int32 {
    let failures = try await withThrowingTaskGroup(of: FailureCategory?.self) { group in
      var failures = failed
      var runningCount = 0
      func take(_ failure: FailureCategory?) {
        runningCount -= 1
        if let failure { failures.append(failure) }
      }
      for input in inputs {
        if runningCount >= max(width, 1), let failure = try await group.next() { take(failure) }
        do {
          let made = try await make(input)
          runningCount += 1
          group.addTask {
            do {
              return try await finish(input, made)
            } catch let error as any ExplainedError {
              tell(error.explanation, name(input, error.explanation))
              return error.explanation.category
            }
          }
        } catch let error as any ExplainedError {
          tell(error.explanation, name(input, error.explanation))
          failures.append(error.explanation.category)
        }
      }
      while let failure = try await group.next() { take(failure) }
      return failures
    }
    return code(of: inputs.count + failed.count + settledCount, failures)
  }

  /// One input alone tells its own reason.
  private static func code(of count: Int, _ failures: [FailureCategory], findingsWin: Bool = false) -> Int32 {
    count == 1
      ? failures.first.map(ExitStatus.code(for:)) ?? 0 : ExitStatus.code(forAll: failures, findingsWin: findingsWin)
  }
}
