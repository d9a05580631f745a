import Foundation
import Synchronization

/// Waits for changes in folders. On Linux, the kernel reports changes with inotify. On other systems, the wait ends
/// after a few seconds. Network file systems don't report changes that other machines make.
public final class FolderWatch: Sendable {
  /// The maximum wait if the kernel doesn't report changes.
  private static let interval = Duration.seconds(5)
  /// The maximum wait if the kernel reports changes.
  private static let longInterval = Duration.seconds(30)

  private let descriptor: Int32
  private let known = Mutex<Set<String>>([])

  public init() {
    #if canImport(Glibc)
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    #else
    descriptor = -1
    #endif
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Waits for a change in the folders, or until the folders should be checked again even if no change was reported.
  /// - Parameters:
  ///   - folders: the paths of all folders to watch, including nested folders.
  ///   - limit: the maximum wait; `nil` for the default.
  /// - Returns: whether the kernel reported a change.
  public func waitForChange(in folders: [String], atMost limit: Duration? = nil) async throws -> Bool {
    let isWatched = addWatches(folders)
    let isNew = known.withLock { known in
      defer { known = Set(folders) }
      return !known.isSuperset(of: folders)
    }
    // The kernel doesn't report files that were created before the watch was added.
    let usual = isNew ? .seconds(1) : isWatched ? Self.longInterval : Self.interval
    let timeout = min(limit ?? usual, usual)
    guard isWatched else {
      try await Task.sleep(for: timeout)
      return false
    }
    let descriptor = descriptor
    return try await WorkerThread.run("bsc watch") { flag in
      let clock = ContinuousClock()
      let deadline = clock.now + timeout
      while clock.now < deadline {
        try flag.check()
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Use a short timeout, so that cancellation takes effect quickly.
        guard unsafe poll(&request, 1, 200) > 0 else { continue }
        var events = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &events, events.count) > 0 {}
        return true
      }
      return false
    }
  }

  /// Adds the folders to the kernel's watch list. Adding a folder more than once has no effect.
  /// - Returns: whether all folders are watched.
  private func addWatches(_ folders: [String]) -> Bool {
    #if canImport(Glibc)
    guard descriptor >= 0 else { return false }
    let events = UInt32(
      IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_MOVE_SELF)
    // Continue after a failure, so that the remaining folders are added.
    return folders.reduce(true) { isWatched, folder in
      unsafe inotify_add_watch(descriptor, folder, events) >= 0 && isWatched
    }
    #else
    return false
    #endif
  }
}
