import ClipModel
import DurableFiles
import Foundation

/// Selects files that are no longer being written. Copying a memory card takes minutes, and incomplete clips are
/// useless.
struct StableFileFilter {
  /// The duration that a file must remain unchanged.
  let settleTime: Duration
  private var seen: [String: (identity: FileIdentity, since: ContinuousClock.Instant)] = [:]
  /// The identities of processed files, by path.
  private var done: [String: FileIdentity] = [:]
  /// The paths of unreadable files that were already reported.
  private var reported: Set<String> = []
  /// Whether at least one file must be checked again soon.
  private(set) var hasUnstableFiles = false

  init(settleTime: Duration) { self.settleTime = settleTime }

  /// Returns the files that have been unchanged long enough and were not yet processed in their current state.
  mutating func selectReadyFiles(_ paths: [String], now: ContinuousClock.Instant = .now, date: Date = Date()) -> Set<
    String
  > {
    var (ready, next): (Set<String>, [String: (FileIdentity, ContinuousClock.Instant)]) = ([], [:])
    hasUnstableFiles = false
    for path in paths {
      // Return a missing or unreadable file once, so that processing reports the error.
      guard let identity = try? FileIdentity.of(path) else {
        if reported.insert(path).inserted { ready.insert(path) }
        continue
      }
      reported.remove(path)
      if done[path] == identity { continue }
      let known = seen[path].flatMap { $0.identity == identity ? $0.since : nil }
      next[path] = (identity, known ?? now)
      // For a new path, the modification time indicates how long the file has been unchanged.
      let age = date.timeIntervalSince1970 - Double(identity.modifiedNanoseconds) / 1e9
      if age >= settleTime.seconds && known == nil || known.map({ now - $0 >= settleTime }) == true {
        ready.insert(path)
      } else {
        hasUnstableFiles = true
      }
    }
    seen = next
    return ready
  }

  mutating func markProcessed(_ paths: [String]) {
    for path in paths {
      done[path] = try? FileIdentity.of(path)
      seen[path] = nil
    }
  }
}
