/// The jobs that a command lists, oldest first, and what the user has to know about them.
package struct JobList: Sendable {
  /// The jobs that were selected.
  package let jobs: [JobSummary]
  /// An error for each backend that has unfinished jobs but is not the configured backend.
  package let otherBackends: [ShareEngineError]
  /// An error for each unreadable entry.
  package let damage: [ShareEngineError]

  /// Opens the journal, or creates it, and reads its jobs.
  /// - Parameter includesDone: whether to include jobs that need no further work.
  /// - Throws: `ShareEngineError` if the journal cannot be read.
  package static func load(_ environment: EngineEnvironment, includesDone: Bool) async throws -> JobList {
    let registry = try await JobRegistry.openRegistry(environment.places)
    let (jobs, damage) = try await registry.journal.entries()
    let unfinished = jobs.filter(registry.isUnfinished)
    return JobList(
      jobs: (includesDone ? jobs : unfinished).map { JobSummary($0, registry: registry) },
      otherBackends: JobRegistry.otherBackendErrors(unfinished, configuration: environment.configuration),
      damage: damage)
  }
}
