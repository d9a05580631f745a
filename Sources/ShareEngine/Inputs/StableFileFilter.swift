import ClipModel
import DurableFiles
import Foundation

/// Which files have stopped growing: a camera's card is copied for minutes, and half a clip is not a clip.
struct StableFileFilter {
  /// How long a file must stay as it is.
  let patience: Duration
  private var seen: [String: (identity: FileIdentity, since: ContinuousClock.Instant)] = [:]
  /// As they were when they were worked on.
  private var done: [String: FileIdentity] = [:]
  /// Those that could not be examined, and were reported.
  private var reported: Set<String> = []
  /// A file has to be examined again soon.
  private(set) var isWaiting = false

  init(patience: Duration) { self.patience = patience }

  /// Those that have been as they are for long enough, and were not worked on as they are.
  mutating func ready(_ paths: [String], now: ContinuousClock.Instant = .now, date: Date = Date()) -> Set<String> {
    var (ready, next): (Set<String>, [String: (FileIdentity, ContinuousClock.Instant)]) = ([], [:])
    isWaiting = false
    for path in paths {
      // What is gone again, or cannot be read, fails when it is worked on.
      guard let identity = try? FileIdentity.of(path) else {
        if reported.insert(path).inserted { ready.insert(path) }
        continue
      }
      reported.remove(path)
      if done[path] == identity { continue }
      let known = seen[path].flatMap { $0.identity == identity ? $0.since : nil }
      next[path] = (identity, known ?? now)
      // The modification time shows how long a file has been unchanged that was there before.
      let age = date.timeIntervalSince1970 - Double(identity.modifiedNanoseconds) / 1e9
      if age >= patience.seconds && known == nil || known.map({ now - $0 >= patience }) == true {
        ready.insert(path)
      } else {
        isWaiting = true
      }
    }
    seen = next
    return ready
  }

  mutating func ended(_ paths: [String]) {
    for path in paths {
      done[path] = try? FileIdentity.of(path)
      seen[path] = nil
    }
  }
}
