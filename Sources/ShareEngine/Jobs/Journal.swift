public import ClipModel
import DurableFiles
public import Foundation
import GRDB

/// All jobs with how far they got: an SQLite file, durable at the end of each call (WAL, `synchronous = FULL`).
///
/// Several processes may have it open; who may work on a job is the `JobLock`'s business. No secret is ever in it.
public struct Journal: Sendable {
  private let database: DatabaseQueue
  private let path: String

  /// Opens the journal at `places.journalFile`; creates it and its folder, or brings an older one up to date.
  /// - Throws: `ShareEngineError` when it was written by a newer bsc, is damaged, lies on a network file system or is
  ///   held by others; `DurableFileError` when its folder cannot be made.
  public static func open(_ places: Places) async throws -> Journal {
    let path = places.journalFile
    return try await WorkerThread.run("bsc journal") { cancellation in
      try Folder.create(places.stateFolder)
      try refuseNetworkFileSystem(path, isNetwork: FileSystemKind.isNetwork(places.stateFolder))
      let lock = try openingLock(path, cancellation)
      return try withExtendedLifetime(lock) {
        do {
          return Journal(database: try JournalSchema.open(path), path: path)
        } catch {
          throw JournalFailure.explain(error, "cannot open the journal \(path)", path)
        }
      }
    }
  }

  /// Stores the job as it is, in one transaction: the new state or, after a crash, the last one.
  public func save(_ job: ShareJob) async throws {
    try await perform("cannot save job \(job.id.uuidString.lowercased())") { database in
      try JobRow(job).upsert(database)
    }
  }

  /// All of them or none.
  public func save(_ jobs: [ShareJob]) async throws {
    try await perform("cannot save the jobs of a post") { database in
      for job in jobs { try JobRow(job).upsert(database) }
    }
  }

  /// The job as it was stored last; `nil` when there is none with this id.
  /// - Throws: `ShareEngineError`, also when a newer bsc wrote it.
  public func load(_ id: UUID) async throws -> ShareJob? {
    try await jobs("WHERE id = ?", [id.uuidString.lowercased()]).first
  }

  /// Jobs that can go on, oldest first.
  public func unfinished() async throws -> [ShareJob] { try await jobs("WHERE isFinal = 0 ORDER BY createdAt, id") }

  /// Every job, oldest first.
  public func all() async throws -> [ShareJob] { try await jobs("ORDER BY createdAt, id") }

  /// Every job that this version can read, oldest first: one damaged entry must not stop the others.
  public func readable() async throws -> [ShareJob] { try await entries().jobs }

  /// The jobs of a file with these bytes, oldest first: of a season, each clip asks for its own and no other.
  public func jobs(ofSource sha256: String) async throws -> [ShareJob] {
    try await rows("WHERE sourceSHA256 = ? ORDER BY createdAt, id", [sha256]).compactMap { try? $0.decoded() }
  }

  /// The clips of a post, in order; a job of its own is alone.
  public func post(of job: ShareJob) async throws -> [ShareJob] {
    guard let place = job.post else { return [job] }
    return try await readable()
      .filter { $0.highlightID == job.highlightID && $0.post?.count == place.count && $0.backend == job.backend }
      .sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }
  }

  /// The jobs as they are now: between finding and locking them, another process may have gone on with them.
  public func current(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var current: [ShareJob] = []
    for job in jobs {
      var known = try await load(job.id) ?? job
      if !known.stage.isFinal { known.source = job.source }
      current.append(known)
    }
    return current
  }

  /// Every job that can be read, oldest first, and why the others cannot.
  public func entries() async throws -> (jobs: [ShareJob], damage: [ShareEngineError]) {
    var (jobs, damage) = ([ShareJob](), [ShareEngineError]())
    for row in try await rows("ORDER BY createdAt, id", []) {
      do throws(ShareEngineError) { jobs.append(try row.decoded()) } catch { damage.append(error) }
    }
    return (jobs, damage)
  }

  /// The ids of all entries, readable or not.
  public func identifiers() async throws -> [UUID] {
    try await rows("ORDER BY createdAt, id", []).compactMap { UUID(uuidString: $0.id) }
  }

  /// Forgets the job; one that is not there is fine. Its folder, lock and secrets are the caller's.
  public func delete(_ id: UUID) async throws {
    try await perform("cannot forget job \(id.uuidString.lowercased())") { database in
      _ = try JobRow.deleteOne(database, key: id.uuidString.lowercased())
    }
  }

  private func jobs(_ condition: String, _ arguments: StatementArguments = []) async throws -> [ShareJob] {
    try await rows(condition, arguments).map { try $0.decoded() }
  }

  private func rows(_ condition: String, _ arguments: StatementArguments) async throws -> [JobRow] {
    try await perform("cannot read the journal \(path)") { database in
      try JobRow.fetchAll(database, sql: "SELECT * FROM job \(condition)", arguments: arguments)
    }
  }

  /// One transaction on the database's own queue.
  func perform<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.write(body)
    } catch {
      throw JournalFailure.explain(error, what, path)
    }
  }

  static func refuseNetworkFileSystem(_ path: String, isNetwork: Bool) throws(ShareEngineError) {
    guard isNetwork else { return }
    throw ShareEngineError(.journalOnNetwork, ["path": path])
  }

  /// Two first runs at once would both make the tables: one goes first. The lock is only held while opening.
  private static func openingLock(_ path: String, _ cancellation: CancellationFlag) throws -> FileLock {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(10)
    while true {
      if let lock = try FileLock(path: path + ".opening.lock") { return lock }
      try cancellation.check()
      guard clock.now < deadline else {
        throw ShareEngineError(.journalBusy, ["what": "cannot open the journal \(path)"])
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
