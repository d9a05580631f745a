import ClipModel
import DurableFiles
package import Foundation

/// Reads and changes of stored jobs for callers that don't open the journal.
extension JobRegistry {
  static func openRegistry(_ places: ApplicationFolders) async throws -> JobRegistry {
    JobRegistry(journal: try await Journal.open(places), places: places)
  }

  /// Opens the registry of an existing journal. Returns `nil` if there is no journal yet.
  static func openExistingRegistry(_ places: ApplicationFolders) async throws -> JobRegistry? {
    FileManager.default.fileExists(atPath: places.journalFile) ? try await openRegistry(places) : nil
  }

  // MARK: Selected jobs

  /// The result for each job that the user selected, and the first digits of the job's ID.
  package typealias SelectionResults<Value> = [(prefix: String, result: Result<Value, any Error>)]

  /// Returns a summary of each job. It is `nil` if another process has just deleted the job.
  /// - Throws: `ShareEngineError` if the journal cannot be opened.
  package static func loadSummaries(
    _ prefixes: [String], in places: ApplicationFolders
  ) async throws -> SelectionResults<JobSummary?> {
    try await collectResults(prefixes, in: places) { registry, prefix in
      let id = try await registry.identifier(prefix, to: "show")
      return try await registry.journal.load(id).map { JobSummary($0, registry: registry) }
    }
  }

  /// Deletes each job, as ``forget(_:)`` does, and returns its ID.
  /// - Throws: `ShareEngineError` if the journal cannot be opened.
  package static func forgetJobs(
    _ prefixes: [String], in places: ApplicationFolders
  ) async throws -> SelectionResults<UUID> {
    try await collectResults(prefixes, in: places) { registry, prefix in try await registry.forget(prefix) }
  }

  /// If an operation fails, the operations for the other jobs continue. After a cancellation, they fail too.
  private static func collectResults<Value>(
    _ prefixes: [String], in places: ApplicationFolders,
    _ operation: (_ registry: JobRegistry, _ prefix: String) async throws -> Value
  ) async throws -> SelectionResults<Value> {
    let registry = try await openRegistry(places)
    var results: SelectionResults<Value> = []
    for prefix in prefixes {
      do {
        let value = try await operation(registry, prefix)
        results.append((prefix: prefix, result: .success(value)))
      } catch {
        results.append((prefix: prefix, result: .failure(error)))
      }
    }
    return results
  }

  // MARK: All jobs

  /// Deletes ended jobs, as ``pruneJobs(age:isDry:)`` does.
  package static func pruneJobs(
    age: Int64, isDry: Bool, in places: ApplicationFolders
  ) async throws -> (jobCount: Int, byteCount: Int64) {
    try await openRegistry(places).pruneJobs(age: age, isDry: isDry)
  }

  /// Returns summaries of the most recent jobs, most recent first. Creates the journal if there is none.
  package static func loadMostRecentJobs(
    _ limit: Int, in places: ApplicationFolders
  ) async throws -> [JobSummary] {
    let registry = try await openRegistry(places)
    let jobs = try await registry.journal.readableJobs().suffix(limit).reversed()
    return try await WorkerThread.run("bsc queue") { _ in jobs.map { JobSummary($0, registry: registry) } }
  }

  /// Returns the IDs of all jobs, including unreadable ones. Creates no journal.
  package static func jobIDs(in places: ApplicationFolders) async throws -> [UUID] {
    try await openExistingRegistry(places)?.journal.identifiers() ?? []
  }

  /// Returns the IDs of the highlights that jobs have registered, in ascending order. Creates no journal.
  package static func registeredHighlightIDs(in places: ApplicationFolders) async throws -> [UUID] {
    let jobs = try await openExistingRegistry(places)?.journal.readableJobs() ?? []
    return Set(jobs.filter(\.stage.isRegistered).map(\.highlightID)).sorted()
  }
}
