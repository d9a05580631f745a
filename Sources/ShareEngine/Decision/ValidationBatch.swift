package import ClipModel
import DurableFiles

/// Validates many files concurrently. The results have the same order as the files.
package struct ValidationBatch {
  let validator: Validator
  /// The time limit for each file.
  let timeout: Duration

  package init(validator: Validator, timeout: Duration) { (self.validator, self.timeout) = (validator, timeout) }

  package func validateFiles(_ files: [String], jobs: Int) -> AsyncThrowingStream<ValidationResult, any Error> {
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
