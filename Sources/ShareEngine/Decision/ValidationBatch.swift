package import ClipModel
import DurableFiles

/// Validates many files concurrently. The results have the same order as the files.
package struct ValidationBatch {
  /// Validates each file.
  package let validator: Validator
  /// The time limit for each file.
  package let timeout: Duration
  /// The maximum number of files that are validated at the same time.
  package let jobs: Int

  package init(validator: Validator, timeout: Duration, jobs: Int) {
    (self.validator, self.timeout, self.jobs) = (validator, timeout, jobs)
  }

  package func validateFiles(_ files: [String]) -> AsyncThrowingStream<ValidationResult, any Error> {
    let slots = AsyncSemaphore(jobs)
    let tasks = files.map { file in Task { try await slots.withSlot { try await validateFile(file) } } }
    return AsyncThrowingStream { continuation in
      let output = Task {
        do {
          for task in tasks { continuation.yield(try await task.value) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        output.cancel()
        for task in tasks { task.cancel() }
      }
    }
  }

  private func validateFile(_ file: String) async throws -> ValidationResult {
    let path = absolutePath(file)
    let result = try await withTimeout(timeout) {
      var result = try await validator.validateFile(file, path: path)
      // Reports contain the path as the user entered it.
      result.failure = result.failure?.replacingPath(file, absolutePath: path)
      return result
    }
    let failure = Explanation(.tooSlow, ["file": file, "seconds": decimal(timeout.seconds)])
    return result ?? ValidationResult(file: file, failure: failure, seconds: timeout.seconds)
  }
}
