package import ClipModel
import DurableFiles

/// Judges many files, several at once, and hands the judgements on in the files' order.
package struct ValidationBatch {
  let validator: Validator
  /// For one file.
  let timeout: Duration

  package init(validator: Validator, timeout: Duration) { (self.validator, self.timeout) = (validator, timeout) }

  package func judgements(of files: [String], jobs: Int) -> AsyncThrowingStream<Judgement, any Error> {
    AsyncThrowingStream { continuation in
      let work = Task {
        do {
          try await withThrowingTaskGroup(of: (Int, Judgement).self) { group in
            var waiting: [Int: Judgement] = [:]
            var begun = 0
            var told = 0
            func begin() {
              guard begun < files.count else { return }
              let (index, file) = (begun, files[begun])
              begun += 1
              group.addTask { (index, try await judgement(of: file)) }
            }
            for _ in 0..<max(jobs, 1) { begin() }
            while let (index, judgement) = try await group.next() {
              waiting[index] = judgement
              while let next = waiting.removeValue(forKey: told) {
                continuation.yield(next)
                told += 1
              }
              begin()
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

  private func judgement(of file: String) async throws -> Judgement {
    let path = absolutePath(file)
    return try await withThrowingTaskGroup(of: Judgement?.self) { group in
      group.addTask {
        var judgement = try await validator.judgement(of: file, path: path)
        // Reports are for others, too: they have the path as it was named.
        judgement.failure = judgement.failure?.naming(file, absolutePath: path)
        // Rules say `bsc strip CLIP`; whoever reads of this file can copy it.
        for index in judgement.findings.indices {
          judgement.findings[index].next?.replace(/\bCLIP\b/, with: shellWord(file))
        }
        return judgement
      }
      group.addTask {
        try await Task.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      if let judgement = try await group.next() ?? nil { return judgement }
      // The judge is told to stop; what it says of that is nobody's business.
      group.cancelAll()
      return Judgement(
        file: file,
        failure: Explanation(.tooSlow, ["file": file, "seconds": decimal(timeout.seconds)]), seconds: timeout.seconds)
    }
  }
}
