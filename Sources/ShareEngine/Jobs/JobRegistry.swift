public import ClipModel
import DurableFiles
public import Foundation

/// Makes jobs, and finds the one that an earlier run left unfinished.
public struct JobRegistry: Sendable {
  /// Where jobs are kept.
  public var journal: Journal
  /// Where locks and files of jobs lie; the journal's own.
  public var places: Places

  public init(journal: Journal, places: Places) {
    self.journal = journal
    self.places = places
  }

  /// The file as jobs know it.
  /// - Throws: `DurableFileError` when it is missing or unreadable.
  public func source(_ path: String) async throws -> SourceFile {
    let identity = try FileIdentity.of(path)
    return SourceFile(
      path: path, byteCount: identity.byteCount, sha256: try await journal.sha256(ofFileAt: path))
  }

  /// Unfinished, or registered by a process that died before it told the result: its folder is removed only afterwards.
  public func isWaiting(_ job: ShareJob) -> Bool {
    switch job.stage {
    case .registered: FileManager.default.fileExists(atPath: places.jobFolder(job.id))
    case .rejected, .cancelled: false
    case .queued, .probed, .planned, .processed, .uploading, .uploaded: true
    }
  }

  /// The right to look for a job and make one, held for a moment.
  func turn() async throws -> FileLock {
    try Folder.create(places.stateFolder)
    if let lock = try await FileLock.wait(path: places.stateFolder + "/registry.lock", patience: .seconds(10)) {
      return lock
    }
    throw ShareEngineError(.registryLocked)
  }

  /// The unfinished jobs that a person means by these beginnings of ids; all of them when there are none.
  public func unfinished(named prefixes: [String]) async throws -> [ShareJob] {
    let jobs = try await journal.readable().filter(isWaiting)
    guard !prefixes.isEmpty else { return jobs }
    var seen: Set<UUID> = []
    return try prefixes.map { prefix throws(ShareEngineError) in
      let matches = jobs.filter { $0.id.uuidString.lowercased().hasPrefix(prefix.lowercased()) }
      guard let match = matches.first, matches.count == 1 else {
        throw Self.notOne(prefix, of: matches.count, to: "resume")
      }
      return match
    }
    .filter { seen.insert($0.id).inserted }
  }

  /// Writes down when somebody will go on with these jobs, for those who look at the list.
  public func expectRetry(of jobs: [ShareJob], at seconds: Int64) async throws {
    for job in jobs {
      guard var current = try await journal.load(job.id), current.setback != nil else { continue }
      current.setback?.retryAt = seconds
      try await journal.save(current)
    }
  }

  /// The process that works on a job now, as far as its lock tells.
  public func holder(of job: UUID) -> Int32? {
    guard let id = FileLock.note(at: places.lockFile(job)).flatMap({ Int32($0) }), id > 0 else { return nil }
    // Signal 0 only asks; a process of somebody else answers EPERM. The lock's note stays behind when its holder dies.
    return kill(id, 0) == 0 || errno == EPERM ? id : nil
  }

  /// The job that a person means by the beginning of its id, whatever its state.
  /// - Parameters:
  ///   - prefix: the beginning of the job's id.
  ///   - verb: what is to be done with it, for the message.
  /// - Throws: `ShareEngineError` when none or several are meant.
  public func identifier(_ prefix: String, to verb: String) async throws -> UUID {
    let matches = try await journal.identifiers().filter {
      $0.uuidString.lowercased().hasPrefix(prefix.lowercased())
    }
    guard let id = matches.first, matches.count == 1 else {
      throw Self.notOne(prefix, of: matches.count, to: verb)
    }
    return id
  }

  private static func notOne(_ prefix: String, of count: Int, to verb: String) -> ShareEngineError {
    ShareEngineError(
      count == 0 ? .jobNotFound : .jobAmbiguous, ["operation": verb, "prefix": prefix, "count": "\(count)"])
  }

  /// Forgets the job that a person means by the beginning of its id, whatever its state: entry, files and secret.
  /// - Throws: `ShareEngineError` when none or several are meant, or when a process works on it.
  public func forget(_ prefix: String) async throws -> UUID {
    let id = try await identifier(prefix, to: "forget")
    try await remove(id)
    return id
  }

  private func remove(_ id: UUID) async throws {
    let lock = try JobLock(job: id, places: places)
    try SecretStore(places: places).delete(.uploadURL(job: id))
    try Folder.remove(places.jobFolder(id))
    try await journal.delete(id)
    lock.releaseAndRemove()
  }

  /// Removes what nobody needs any more: jobs that are over, and folders of jobs that the journal does not know.
  /// - Parameters:
  ///   - age: only jobs that ended so many seconds ago, or earlier.
  ///   - isDry: tells, and removes nothing.
  /// - Returns: how many jobs, and the bytes of their files. A job that a process works on is left alone.
  public func prune(age: Int64, isDry: Bool) async throws -> (jobCount: Int, byteCount: Int64) {
    let limit = Int64(Date().timeIntervalSince1970) - age
    var (count, bytes): (Int, Int64) = (0, 0)
    for job in try await journal.readable() where job.stage.isFinal && !isWaiting(job) && job.updatedAt <= limit {
      let size = diskUse(of: job.id)
      if !isDry {
        guard (try? await remove(job.id)) != nil else { continue }
      }
      count += 1
      bytes += size
    }
    let known = Set(try await journal.identifiers())
    for name in (try? Folder.names(in: places.jobsFolder)) ?? [] {
      guard let id = UUID(uuidString: name), !known.contains(id) else { continue }
      bytes += diskUse(of: id)
      if !isDry, let lock = try? JobLock(job: id, places: places) {
        try SecretStore(places: places).delete(.uploadURL(job: id))
        try Folder.remove(places.jobFolder(id))
        lock.releaseAndRemove()
      }
    }
    return (count, bytes)
  }

  /// Bytes of the files that a job has made so far.
  public func diskUse(of id: UUID) -> Int64 {
    let folder = places.jobFolder(id)
    return ((try? Folder.names(in: folder)) ?? []).reduce(0) {
      $0 + ((try? FileIdentity.of("\(folder)/\($1)"))?.byteCount ?? 0)
    }
  }
}
