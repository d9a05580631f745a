import ClipModel
import ShareEngine

/// Processes several inputs: if one fails, its error is reported and the others continue.
enum InputRunner {
  /// Runs `body` for each input, and ends the program with the worst failure.
  ///
  /// - Parameters:
  ///   - lost: the errors for inputs that can't be read, which are reported first and counted with the other failures.
  ///   - findingsWin: see `FailureCategory.worstCategory(of:findingsWin:)`.
  ///   - beforeError: called before an error is printed, to end a progress line.
  ///   - atEnd: called after the last input, to print a summary.
  ///   - body: processes one input. Returns why the input was rejected, or `nil`. Errors are reported; cancellation
  ///     ends the run.
  /// - Throws: `ExitStatusError`, `CancellationError`.
  static func run<Input>(
    _ inputs: [Input], lost: [any ExplainedError] = [], named name: (Input) -> String, asJSON: Bool,
    findingsWin: Bool = false, beforeError: () -> Void = {}, atEnd: () -> Void = {},
    _ body: (Input) async throws -> FailureCategory?
  ) async throws {
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
    atEnd()
    // If there is only one input, its failure alone determines the exit code.
    let isSingleFile = inputs.count + lost.count == 1
    try ExitStatusError.throwIfFailed(
      with: isSingleFile ? failures.first : FailureCategory.worstCategory(of: failures, findingsWin: findingsWin))
  }
}
