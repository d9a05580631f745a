import HTTPTypes

/// The trims that are running. A repeated request waits for the first one instead of cutting the same clip again.
actor RunningTrims {
  private var running: [String: (range: Range<Double>, task: Task<String, any Error>)] = [:]

  /// Runs `trim`, or waits for the same trim of the highlight. The trim continues if the request is canceled.
  /// - Throws: a 409 error if the highlight is being trimmed to a different part.
  func run(
    _ highlight: String, _ range: Range<Double>, _ trim: @escaping @Sendable () async throws -> String
  ) async throws -> String {
    if let current = running[highlight] {
      guard current.range == range else {
        throw BackendFailure(.conflict, "not_trimmable", "the highlight is being trimmed")
      }
      return try await current.task.value
    }
    let task = Task { try await trim() }
    running[highlight] = (range, task)
    defer { running[highlight] = nil }
    return try await task.value
  }
}
