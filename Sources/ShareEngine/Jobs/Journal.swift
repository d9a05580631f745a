public import ClipModel
import DurableFiles
public import Foundation
import GRDB

/// An SQLite file with all jobs and their stages. Changes are durable when a call returns (WAL, `synchronous = FULL`).
///
/// Several processes can use it at the same time; job locks decide which process works on a job. It contains no secrets.
public struct Journal: Sendable {
  private let database: DatabaseQueue
  private let path: String

  /// Opens the journal at `places.journalFile`. Creates or migrates it if necessary.
  /// - Throws: `ShareEngineError` if it was written by a newer version, is damaged, is on a network file system, or is
  ///   locked by another process; `DurableFileError` if its folder cannot be created.
  public static func open(_ places: Places) async throws -> Journal {
    let path = places.journalFile
    let action = "cannot open the journal \(path)"
    // A network file system can block, so even these calls stay off the cooperative pool.
    try await WorkerThread.run("bsc journal") { _ in
      try Folder.create(places.stateFolder)
      try requireLocalFileSystem(path, isNetwork: FileSystemKind.isNetwork(places.stateFolder))
    }
    // If two first runs started at the same time, both would create the tables.
    guard let lock = try await FileLock.wait(path: path + ".opening.lock", patience: .seconds(10)) else {
      throw ShareEngineError(.journalBusy, ["what": action])
    }
    defer { withExtendedLifetime(lock) {} }
    return try await WorkerThread.run("bsc journal") { _ in
      do {
        return Journal(database: try JournalSchema.open(path), path: path)
      } catch {
        throw JournalFailure.wrap(error, action: action, path: path)
      }
    }
  }

  static func requireLocalFileSystem(_ path: String, isNetwork: Bool) throws(ShareEngineError) {
    guard isNetwork else { return }
    throw ShareEngineError(.journalOnNetwork, ["path": path])
  }

  // MARK: Read

  /// The stored job, or `nil` if there is none with this ID.
  /// - Throws: `ShareEngineError`, also if a newer version wrote the entry.
  public func load(_ id: UUID) async throws -> ShareJob? {
    try await rows("WHERE id = ?", [id.uuidString.lowercased()]).first?.decoded()
  }

  /// All jobs, oldest first.
  /// - Throws: `ShareEngineError`, also if an entry is damaged.
  public func all() async throws -> [ShareJob] { try await rows().map { try $0.decoded() } }

  /// All undamaged jobs, oldest first.
  public func readable() async throws -> [ShareJob] { try await entries().jobs }

  /// The jobs of files with this digest, oldest first.
  func jobs(ofSource sha256: String) async throws -> [ShareJob] {
    try await rows("WHERE sourceSHA256 = ? ORDER BY createdAt, id", [sha256]).compactMap { try? $0.decoded() }
  }

  /// The jobs of a post in order, or only the given job if it is not part of a post.
  func post(of job: ShareJob) async throws -> [ShareJob] {
    guard let post = job.post else { return [job] }
    return try await readable()
      .filter { $0.highlightID == job.highlightID && $0.post?.count == post.count && $0.backend == job.backend }
      .sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }
  }

  /// The jobs as they are currently stored. Another process can change a job before it is locked.
  func current(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var current: [ShareJob] = []
    for job in jobs {
      var stored = try await load(job.id) ?? job
      if !stored.stage.isFinal { stored.source = job.source }
      current.append(stored)
    }
    return current
  }

  /// All readable jobs, oldest first, and the errors of the other entries.
  package func entries() async throws -> (jobs: [ShareJob], damage: [ShareEngineError]) {
    var (jobs, damage) = ([ShareJob](), [ShareEngineError]())
    for row in try await rows() {
      do throws(ShareEngineError) { jobs.append(try row.decoded()) } catch { damage.append(error) }
    }
    return (jobs, damage)
  }

  /// The IDs of all entries, including damaged ones.
  package func identifiers() async throws -> [UUID] { try await rows().compactMap { UUID(uuidString: $0.id) } }

  private func rows(
    _ condition: String = "ORDER BY createdAt, id", _ arguments: StatementArguments = []
  ) async throws -> [JobRow] {
    try await perform("cannot read the journal \(path)") { database in
      try JobRow.fetchAll(database, sql: "SELECT * FROM job \(condition)", arguments: arguments)
    }
  }

  // MARK: Write

  /// Stores a job in one transaction: after a crash, the journal has the new or the previous state.
  package func save(_ job: ShareJob) async throws { try await save([job]) }

  /// Stores all jobs in one transaction.
  package func save(_ jobs: [ShareJob]) async throws {
    let ids = jobs.map { $0.id.uuidString.lowercased() }.joined(separator: ", ")
    try await perform("cannot save job \(ids)") { database in
      for job in jobs { try JobRow(job).upsert(database) }
    }
  }

  /// Deletes the entry of a job, if there is one. The caller deletes its folder, lock and secrets.
  package func delete(_ id: UUID) async throws {
    let id = id.uuidString.lowercased()
    try await perform("cannot forget job \(id)") { database in _ = try JobRow.deleteOne(database, key: id) }
  }

  /// Runs `body` in a transaction.
  func perform<Value: Sendable>(
    _ action: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.write(body)
    } catch {
      throw JournalFailure.wrap(error, action: action, path: path)
    }
  }
}
