import ClipModel
import LibAV

/// The key frames of a track, for containers with an index.
struct KeyFrameIndex {
  struct Key: Equatable {
    /// The time to seek to, just before the next key frame. Seeking to the key frame's own time may miss it, because
    /// demuxers don't seek to a key frame that is shown later than it is decoded.
    var seekTicks: Int64
    /// The presentation time, which is a few frames later in an open GOP.
    var presentation: Int64
  }

  private let keys: [Key]

  /// Only MP4 and QuickTime have a complete index from the start; other demuxers build it while they read the file.
  init(_ stream: SourceStream, in container: InputContainer) {
    guard container.hasTrackDurations else {
      keys = []
      return
    }
    let entries = stream.indexEntries
    // All frames have the delay of the first one, which is shown at 0 by default.
    let first = entries.first { !$0.isDiscarded }?.ticks ?? 0
    let delay = max((stream.start?.ticks ?? 0) &- first, 0)
    let ticks = entries.filter { $0.isKeyFrame && !$0.isDiscarded }.map(\.ticks)
    let lastEnd = (entries.last?.ticks ?? 0) &+ delay &+ 1
    keys = zip(ticks, ticks.dropFirst() + [lastEnd]).map {
      Key(seekTicks: max($1 &- 1, $0 &+ delay), presentation: $0 &+ delay)
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// The last key frame at or before a time; the first one for earlier times.
  func lastKey(at ticks: Int64) -> Key? { keys.last { $0.presentation <= ticks } ?? keys.first }

  /// The key frames before and after a time; a single one at both ends.
  func neighbors(of ticks: Int64) -> [Key] {
    let next = keys.firstIndex { $0.presentation > ticks } ?? keys.count
    return Array(keys[max(next - 1, 0)..<min(next + 1, keys.count)])
  }

  /// All key frames, sorted by their distance from a time.
  func sorted(byDistanceTo ticks: Int64) -> [Key] {
    func distance(_ key: Key) -> UInt64 {
      // A damaged file may contain any timestamp, so the difference must not trap.
      let (difference, overflows) = key.presentation.subtractingReportingOverflow(ticks)
      return overflows ? .max : difference.magnitude
    }
    return keys.sorted { distance($0) < distance($1) }
  }
}
