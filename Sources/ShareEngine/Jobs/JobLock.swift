import ClipModel
import DurableFiles
package import Foundation
import Synchronization

/// An exclusive lock on a job. The lock is released when this value is destroyed or the process ends.
package final class JobLock: Sendable {
  private let lock: Mutex<FileLock?>

  /// - Throws: `ShareEngineError` in the category `locked`, which identifies the process that holds the lock, or
  ///   `DurableFileError` if the lock file cannot be created.
  package init(job: UUID, places: ApplicationFolders) throws {
    let path = places.lockFile(job)
    try Folder.create(places.locksFolder)
    guard let lock = try FileLock(path: path) else {
      throw ShareEngineError(
        .jobLocked, ["job": job.uuidString.lowercased(), "holder": FileLock.describeHolder(of: path)])
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
  /// Locks all jobs of a share. If one job cannot be locked, locks none of them.
  /// - Throws: the same errors as `JobLock.init`.
  init(_ jobs: [ShareJob], places: ApplicationFolders) throws {
    self = try jobs.map { try JobLock(job: $0.id, places: places) }
  }

  func releaseAndRemove() { for lock in self { lock.releaseAndRemove() } }
}

extension FileLock {
  /// Describes the process that holds the lock, for messages.
  static func describeHolder(of path: String) -> String {
    holderNote(at: path).map { "process \($0)" } ?? "another process"
  }
}
