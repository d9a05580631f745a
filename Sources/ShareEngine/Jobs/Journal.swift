public import ClipModel
import DurableFiles
public import Foundation
import GRDB

/// An SQLite database that stores all jobs and their stages. Changes are durable when a call returns (WAL, `synchronous
/// = FULL`).
///
/// Several processes can use the journal at the same time. Job locks determine which process works on a job. The
/// journal contains no secrets.
public struct Journal: Sendable {
  private let database: DatabaseQueue
  private let path: String

  /// Opens the journal at `places.journalFile`. Creates or migrates it if necessary.
  /// - Throws: `ShareEngineError` if the journal was written by a newer version, is damaged, is on a network file
  ///   system or is locked by another process, or `DurableFileError` if its folder cannot be created.
  public static func open(_ places: ApplicationFolders) async throws -> Journal {
    let path = places.journalFile
    let action = "cannot open the journal \(path)"
    // Calls on a network file system can block, so these checks run outside the cooperative thread pool.
    try await WorkerThread.run("bsc journal") { _ in
      try Folder.create(places.stateFolder)
      try requireLocalFileSystem(path, isNetwork: FileSystemKind.isNetwork(places.stateFolder))
    }
    // Without the lock, two processes that start for the first time could both create the tables.
    guard let lock = try await FileLock.wait(path: path + ".opening.lock", timeout: .seconds(10)) else {
      throw ShareEngineError(.journalBusy, ["what": action])
    }
    defer { withExtendedLifetime(lock) {} }
    return try await WorkerThread.run("bsc journal") { _ in
      do {
        return Journal(database: try JournalSchema.open(path), path: path)
      } catch {
        throw JournalFailure.convertError(error, action: action, path: path)
      }
    }
  }

  static func requireLocalFileSystem(_ path: String, isNetwork: Bool) throws(ShareEngineError) {
    guard isNetwork else { return }
    throw ShareEngineError(.journalOnNetwork, ["path": path])
  }

  // MARK: Read

  /// Returns the stored job, or `nil` if the journal has no job with this ID.
  /// - Throws: `ShareEngineError` if the journal cannot be read, or if a newer version wrote the entry.
  public func load(_ id: UUID) async throws -> ShareJob? {
    try await fetchRows("WHERE id = ?", [id.uuidString.lowercased()]).first?.decodeJob()
  }

  /// Returns all jobs, oldest first.
  /// - Throws: `ShareEngineError` if the journal cannot be read, or if an entry is damaged.
  public func loadAllJobs() async throws -> [ShareJob] { try await fetchRows().map { try $0.decodeJob() } }

  /// Returns all readable jobs, oldest first. Skips damaged entries.
  public func readableJobs() async throws -> [ShareJob] { try await entries().jobs }

  /// Returns the jobs whose source file has this digest, oldest first.
  func findJobs(ofSource sha256: String) async throws -> [ShareJob] {
    try await fetchRows("WHERE sourceSHA256 = ? ORDER BY createdAt, id", [sha256]).compactMap { try? $0.decodeJob() }
  }

  /// Returns the jobs of a post in order, or only the given job if it is not part of a post.
  func loadPost(of job: ShareJob) async throws -> [ShareJob] {
    guard let post = job.post else { return [job] }
    return try await readableJobs()
      .filter { $0.highlightID == job.highlightID && $0.post?.count == post.count && $0.backend == job.backend }
      .sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }
  }

  /// Returns the jobs as they are currently stored, with the source and the settings of this run. Another process can change
  /// a job before this process locks it.
  func reloadJobs(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var current: [ShareJob] = []
    for job in jobs {
      var stored = try await load(job.id) ?? job
      if !stored.stage.isFinal { (stored.source, stored.streaming) = (job.source, job.streaming) }
      current.append(stored)
    }
    return current
  }

  /// Returns all readable jobs, oldest first, and an error for each unreadable entry.
  func entries() async throws -> (jobs: [ShareJob], damage: [ShareEngineError]) {
    var (jobs, damage) = ([ShareJob](), [ShareEngineError]())
    for row in try await fetchRows() {
      do throws(ShareEngineError) { jobs.append(try row.decodeJob()) } catch { damage.append(error) }
    }
    return (jobs, damage)
  }

  /// Returns the IDs of all entries, including damaged entries.
  func identifiers() async throws -> [UUID] { try await fetchRows().compactMap { UUID(uuidString: $0.id) } }

  private func fetchRows(
    _ condition: String = "ORDER BY createdAt, id", _ arguments: StatementArguments = []
  ) async throws -> [JobRow] {
    try await runTransaction("cannot read the journal \(path)") { database in
      try JobRow.fetchAll(database, sql: "SELECT * FROM job \(condition)", arguments: arguments)
    }
  }

  // MARK: Write

  /// Stores a job in a transaction. After a crash, the journal contains either the new or the previous state.
  package func save(_ job: ShareJob) async throws { try await save([job]) }

  /// Stores all jobs in a single transaction.
  package func save(_ jobs: [ShareJob]) async throws {
    let ids = jobs.map { $0.id.uuidString.lowercased() }.joined(separator: ", ")
    try await runTransaction("cannot save job \(ids)") { database in
      for job in jobs { try JobRow(job).upsert(database) }
    }
  }

  /// Deletes a job's entry, if there is one. The caller deletes the job's folder, lock and secrets.
  package func delete(_ id: UUID) async throws {
    let id = id.uuidString.lowercased()
    try await runTransaction("cannot forget job \(id)") { database in _ = try JobRow.deleteOne(database, key: id) }
  }

  /// Runs `body` in a transaction.
  func runTransaction<Value: Sendable>(
    _ action: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.write(body)
    } catch {
      throw JournalFailure.convertError(error, action: action, path: path)
    }
  }
}
