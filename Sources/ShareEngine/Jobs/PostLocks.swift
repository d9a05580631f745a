package import ClipModel
import Synchronization

/// The right to work on a post: the locks of all its jobs, taken in their order.
package final class PostLocks: Sendable {
  private let locks: [OneLock]

  /// A lock that can stand in a list.
  private final class OneLock: Sendable {
    private let lock: Mutex<JobLock?>
    init(_ lock: consuming sending JobLock) { self.lock = Mutex(lock) }
    func release() {
      lock.withLock { lock in
        if let held = lock.take() { held.releaseAndRemove() }
      }
    }
  }

  /// - Throws: as `JobLock`, when a process works on one of them; then none is held.
  package init(_ jobs: [ShareJob], places: Places) async throws {
    locks = try jobs.map { OneLock(try JobLock(job: $0.id, places: places)) }
  }

  /// For a post that is finished or taken back: nothing of the locks stays.
  package func release() { for lock in locks { lock.release() } }
}
