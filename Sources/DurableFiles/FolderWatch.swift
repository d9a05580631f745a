import Foundation
import Synchronization

/// Waits for a change in folders: the kernel reports it where it can (inotify); elsewhere they are checked every few
/// seconds. Network file systems do not report changes by other machines.
public final class FolderWatch: Sendable {
  /// Between two checks of folders without and with the kernel's reports.
  private static let interval = Duration.seconds(5)
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

  /// Waits for a change, or for the time after which it is wise to look anyway.
  /// - Parameters:
  ///   - folders: all of them, also those inside of others.
  ///   - limit: wait no longer than this.
  /// - Returns: whether the kernel reported a change.
  public func change(in folders: [String], atMost limit: Duration? = nil) async throws -> Bool {
    let isCovered = cover(folders)
    let isNew = known.withLock { known in
      defer { known = Set(folders) }
      return !known.isSuperset(of: folders)
    }
    // The kernel does not report what came into a folder before the watch.
    let usual = isNew ? .seconds(1) : isCovered ? Self.longInterval : Self.interval
    let wait = min(limit ?? usual, usual)
    guard isCovered else {
      try await Task.sleep(for: wait)
      return false
    }
    let descriptor = descriptor
    return try await WorkerThread.run("bsc watch") { flag in
      let clock = ContinuousClock()
      let deadline = clock.now + wait
      while clock.now < deadline {
        try flag.check()
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Short, so that a cancellation is noticed.
        guard unsafe poll(&request, 1, 200) > 0 else { continue }
        var events = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &events, events.count) > 0 {}
        return true
      }
      return false
    }
  }

  /// Adds the folders to the kernel's watch; adding one twice changes nothing.
  /// - Returns: whether all of them are watched.
  private func cover(_ folders: [String]) -> Bool {
    #if canImport(Glibc)
      guard descriptor >= 0 else { return false }
      let events = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)
      // Each is added, also after one that failed.
      return folders.reduce(true) { isCovered, folder in
        unsafe inotify_add_watch(descriptor, folder, events) >= 0 && isCovered
      }
    #else
      return false
    #endif
  }
}
