import ClipModel
import DurableFiles
package import Foundation
import Synchronization

/// The exclusive right to work on a job. The lock is released when the value is destroyed or the process ends.
package final class JobLock: Sendable {
  private let lock: Mutex<FileLock?>

  /// - Throws: `ShareEngineError` in the category `locked`, which names the process that holds the lock;
  ///   `DurableFileError`.
  package init(job: UUID, places: Places) throws {
    let path = places.lockFile(job)
    try Folder.create(places.locksFolder)
    guard let lock = try FileLock(path: path) else {
      throw ShareEngineError(.jobLocked, ["job": job.uuidString.lowercased(), "holder": FileLock.holder(of: path)])
    }
    self.lock = Mutex(lock)
  }

  /// Releases the lock and removes its file.
  package func releaseAndRemove() {
    lock.withLock { lock in
      if let held = lock.take() { held.releaseAndRemove() }
    }
  }
}

extension [JobLock] {
  /// Locks all jobs of a share, or none.
  /// - Throws: the same errors as `JobLock.init`.
  init(_ jobs: [ShareJob], places: Places) throws {
    self = try jobs.map { try JobLock(job: $0.id, places: places) }
  }

  func releaseAndRemove() { for lock in self { lock.releaseAndRemove() } }
}

extension FileLock {
  /// The process that holds the lock, for messages.
  static func holder(of path: String) -> String { note(at: path).map { "process \($0)" } ?? "another process" }
}
