import ClipModel
import DurableFiles
public import Foundation

/// The right to work on a job: one process at a time, given back when the value goes or the process dies.
public struct JobLock: ~Copyable {
  private let lock: FileLock

  /// - Throws: `ShareEngineError` in the category `locked`, with the holder's process id; `DurableFileError`.
  public init(job: UUID, places: Places) throws {
    let path = places.lockFile(job)
    try Folder.create(places.locksFolder)
    guard let lock = try FileLock(path: path) else {
      let holder = FileLock.note(at: path).map { "process \($0)" } ?? "another process"
      throw ShareEngineError(.jobLocked, ["job": job.uuidString.lowercased(), "holder": holder])
    }
    self.lock = lock
  }

  /// Gives the job back for good: for one that is finished or forgotten.
  public consuming func releaseAndRemove() { lock.releaseAndRemove() }
}
