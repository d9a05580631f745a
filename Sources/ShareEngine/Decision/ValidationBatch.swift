package import ClipModel
import DurableFiles

/// Validates many files concurrently, and returns the results in the order of the files.
package struct ValidationBatch {
  let validator: Validator
  /// The time limit for each file.
  let timeout: Duration

  package init(validator: Validator, timeout: Duration) { (self.validator, self.timeout) = (validator, timeout) }

  package func results(of files: [String], jobs: Int) -> AsyncThrowingStream<ValidationResult, any Error> {
    AsyncThrowingStream { continuation in
      let work = Task {
        do {
          try await withThrowingTaskGroup(of: (Int, ValidationResult).self) { group in
            var remaining = files.enumerated().makeIterator()
            func startNext() {
              guard let (index, file) = remaining.next() else { return }
              group.addTask { (index, try await result(of: file)) }
            }
            for _ in 0..<max(jobs, 1) { startNext() }
            var finished: [Int: ValidationResult] = [:]
            var nextIndex = 0
            while let (index, result) = try await group.next() {
              finished[index] = result
              while let next = finished.removeValue(forKey: nextIndex) {
                continuation.yield(next)
                nextIndex += 1
              }
              startNext()
            }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in work.cancel() }
    }
  }

  private func result(of file: String) async throws -> ValidationResult {
    let path = absolutePath(file)
    return try await withThrowingTaskGroup(of: ValidationResult?.self) { group in
      group.addTask {
        var result = try await validator.result(of: file, path: path)
        // Reports contain the path as the user wrote it.
        result.failure = result.failure?.naming(file, absolutePath: path)
        for index in result.findings.indices {
          result.findings[index].next?.replace(/\bCLIP\b/, with: shellWord(file))
        }
        return result
      }
      group.addTask {
        try await Task.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      if let result = try await group.next() ?? nil { return result }
      // The group waits for the cancelled validation and ignores its result.
      group.cancelAll()
      return ValidationResult(
        file: file,
        failure: Explanation(.tooSlow, ["file": file, "seconds": decimal(timeout.seconds)]), seconds: timeout.seconds)
    }
  }
}
