import ClipModel
import DurableFiles
import Foundation

/// Selects files that have stopped growing. Copying a camera's memory card takes minutes, and an incomplete clip is
/// useless.
struct StableFileFilter {
  /// How long a file must stay unchanged.
  let patience: Duration
  private var seen: [String: (identity: FileIdentity, since: ContinuousClock.Instant)] = [:]
  /// The identities of processed files.
  private var done: [String: FileIdentity] = [:]
  /// Files that could not be examined and have already been reported.
  private var reported: Set<String> = []
  /// Whether a file must be checked again soon.
  private(set) var hasUnstableFiles = false

  init(patience: Duration) { self.patience = patience }

  /// The files that have been unchanged long enough and have not been processed in their current state.
  mutating func ready(_ paths: [String], now: ContinuousClock.Instant = .now, date: Date = Date()) -> Set<String> {
    var (ready, next): (Set<String>, [String: (FileIdentity, ContinuousClock.Instant)]) = ([], [:])
    hasUnstableFiles = false
    for path in paths {
      // A missing or unreadable file will fail when it is processed.
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
      if age >= patience.seconds && known == nil || known.map({ now - $0 >= patience }) == true {
        ready.insert(path)
      } else {
        hasUnstableFiles = true
      }
    }
    seen = next
    return ready
  }

  mutating func markDone(_ paths: [String]) {
    for path in paths {
      done[path] = try? FileIdentity.of(path)
      seen[path] = nil
    }
  }
}
