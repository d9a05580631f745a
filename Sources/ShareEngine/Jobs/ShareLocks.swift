public import ClipModel
import Synchronization

/// The right to work on a share: the locks of all its jobs, taken in their order; given back when the value goes or the
/// process dies.
public final class ShareLocks: Sendable {
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
  public init(_ jobs: [ShareJob], places: Places) throws {
    locks = try jobs.map { OneLock(try JobLock(job: $0.id, places: places)) }
  }

  /// For a share that is finished or cancelled: no lock file remains.
  public func release() { for lock in locks { lock.release() } }
}
