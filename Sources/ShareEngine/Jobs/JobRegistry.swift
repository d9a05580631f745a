public import ClipModel
import DurableFiles
public import Foundation

/// Lists, finds, cancels and deletes the jobs in a journal.
public struct JobRegistry: Sendable {
  /// Stores the jobs.
  let journal: Journal
  /// The folders that contain the jobs' files and locks. They must be the journal's folders.
  public var places: ApplicationFolders
  /// The setting for the jobs of a share; `nil` if the process that runs a job decides.
  var streaming: UploadStreaming?

  /// - Parameters:
  ///   - journal: stores the jobs.
  ///   - places: the journal's folders.
  public init(journal: Journal, places: ApplicationFolders) {
    self.journal = journal
    self.places = places
  }

  /// Returns a file's path, size and digest.
  /// - Throws: `DurableFileError` if the file is missing or unreadable.
  package func readSource(_ path: String) async throws -> SourceFile {
    SourceFile(
      path: path, byteCount: try FileIdentity.of(path).byteCount, sha256: try await journal.sha256(ofFileAt: path))
  }

  // MARK: Find

  /// Whether a job is unfinished. This includes registered jobs whose process ended before it sent the highlight to its
  /// recipients, or before it reported the result. A job's folder is removed only after the result was reported.
  public func isUnfinished(_ job: ShareJob) -> Bool {
    switch job.stage {
    case .registered: job.awaitsLinks || FileManager.default.fileExists(atPath: places.jobFolder(job.id))
    case .rejected, .cancelled: false
    case .queued, .probed, .planned, .processed, .uploading, .uploaded: true
    }
  }

  /// Finds unfinished jobs.
  /// - Parameter prefixes: the first digits of job IDs. An empty array selects all unfinished jobs.
  /// - Throws: `ShareEngineError` if a prefix doesn't match exactly one job.
  public func unfinishedJobs(named prefixes: [String]) async throws -> [ShareJob] {
    let jobs = try await journal.readableJobs().filter(isUnfinished)
    guard !prefixes.isEmpty else { return jobs }
    let ids = try prefixes.map { try Self.findUniqueID($0, in: jobs.map(\.id), to: "resume") }
    return jobs.filter { ids.contains($0.id) }
  }

  /// Finds the ID of a job at any stage.
  /// - Parameters:
  ///   - prefix: the first digits of the job's ID.
  ///   - verb: the operation, for the error message.
  /// - Throws: `ShareEngineError` if the prefix matches no job or several.
  public func identifier(_ prefix: String, to verb: String) async throws -> UUID {
    try Self.findUniqueID(prefix, in: try await journal.identifiers(), to: verb)
  }

  private static func findUniqueID(_ prefix: String, in ids: [UUID], to verb: String) throws -> UUID {
    let matches = ids.filter { $0.uuidString.lowercased().hasPrefix(prefix.lowercased()) }
    guard let id = matches.first, matches.count == 1 else {
      throw ShareEngineError(
        matches.isEmpty ? .jobNotFound : .jobAmbiguous,
        ["operation": verb, "prefix": prefix, "count": "\(matches.count)"])
    }
    return id
  }

  /// Returns the ID of the process that is working on a job, according to the job's lock file.
  public func holder(of job: UUID) -> Int32? {
    guard let id = FileLock.holderNote(at: places.lockFile(job)).flatMap({ Int32($0) }), id > 0 else { return nil }
    // The note in the lock file can outlive its process. Signal 0 checks whether the process exists; EPERM means that
    // it belongs to another user.
    return kill(id, 0) == 0 || errno == EPERM ? id : nil
  }

  /// Returns the total size of a job's files, in bytes.
  public func diskByteCount(of id: UUID) -> Int64 {
    let folder = places.jobFolder(id)
    return ((try? Folder.names(in: folder)) ?? []).reduce(0) {
      $0 + ((try? FileIdentity.of("\(folder)/\($1)"))?.byteCount ?? 0)
    }
  }

  /// Returns an error for each backend that has unfinished jobs but is not the configured backend.
  static func otherBackendErrors(_ jobs: [ShareJob], configuration: Configuration) -> [ShareEngineError] {
    let current = configuration.backend.value.rawValue
    return Set(jobs.map(\.backend)).subtracting([current]).sorted().map { backend in
      let count = jobs.count { $0.backend == backend }
      return ShareEngineError(
        .jobsOfOtherBackend, ["jobs": count.withNoun("job"), "backend": backend, "current": current])
    }
  }

  // MARK: Change

  /// Stores the time at which failed jobs will be retried.
  /// - Parameter seconds: the time as Unix time, in seconds.
  package func setRetryTime(of jobs: [ShareJob], to seconds: Int64) async throws {
    for job in jobs {
      guard var current = try await journal.load(job.id), current.setback != nil else { continue }
      current.setback?.retryAt = seconds
      try await journal.save(current)
    }
  }

  /// Deletes a job at any stage, including its journal entry, its files and its upload URL.
  /// - Parameter prefix: the first digits of the job's ID.
  /// - Throws: `ShareEngineError` if the prefix doesn't match exactly one job, or if another process is using the job.
  public func forget(_ prefix: String) async throws -> UUID {
    let id = try await identifier(prefix, to: "forget")
    try await removeJob(id)
    return id
  }

  private func removeJob(_ id: UUID) async throws {
    let lock = try JobLock(job: id, places: places)
    try removeFiles(of: id)
    try await journal.delete(id)
    lock.releaseAndRemove()
  }

  func removeFiles(of id: UUID) throws {
    try SecretStore(places: places).delete(.uploadURL(job: id))
    try Folder.remove(places.jobFolder(id))
  }

  /// Deletes ended jobs, and job folders that have no journal entry. Skips jobs that another process is using.
  /// - Parameters:
  ///   - age: the minimum number of seconds since a job ended.
  ///   - isDry: whether to count the jobs without deleting them.
  /// - Returns: the number of jobs, and the total size of their files in bytes.
  public func pruneJobs(age: Int64, isDry: Bool) async throws -> (jobCount: Int, byteCount: Int64) {
    let limit = SharePipeline.currentTimestamp() - age
    var (jobCount, byteCount): (Int, Int64) = (0, 0)
    for job in try await journal.readableJobs() where job.stage.isFinal && !isUnfinished(job) && job.updatedAt <= limit
    {
      let size = diskByteCount(of: job.id)
      if !isDry {
        guard (try? await removeJob(job.id)) != nil else { continue }
      }
      jobCount += 1
      byteCount += size
    }
    // List the folders before the jobs: a job is stored before its folder is created, so a new job's folder never
    // appears to be unknown.
    let folders = ((try? Folder.names(in: places.jobsFolder)) ?? []).compactMap { UUID(uuidString: $0) }
    let known = Set(try await journal.identifiers())
    for id in folders where !known.contains(id) {
      byteCount += diskByteCount(of: id)
      if !isDry { try? await removeJob(id) }
    }
    return (jobCount, byteCount)
  }
}
