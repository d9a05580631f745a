import ClipModel
import LibAV

/// Where a track's key frames are, as far as its container has an index.
struct KeyFrameIndex {
  struct Key: Equatable {
    /// Seeking to this time, ticks, finds it: just before the next one. Its own time may not, because demuxers do not
    /// go to a key frame that is shown later than it is decoded, and do not tell by how much.
    var seeking: Int64
    /// When it is shown, ticks; in open groups a few frames later.
    var presentation: Int64
  }

  private let keys: [Key]

  /// Only MP4 and QuickTime have all of it at once; others fill theirs while they are read.
  init(_ stream: SourceStream, in container: InputContainer) {
    guard container.tellsTrackLengths else {
      keys = []
      return
    }
    let entries = stream.indexEntries
    // Key frames are shown as long after they are decoded as the first frame is; that one is at 0 unless told otherwise.
    let first = entries.first { !$0.isDiscarded }?.ticks ?? 0
    let delay = max((stream.start?.ticks ?? 0) &- first, 0)
    let ticks = entries.filter { $0.isKeyFrame && !$0.isDiscarded }.map(\.ticks)
    let lastEnd = (entries.last?.ticks ?? 0) &+ delay &+ 1
    keys = zip(ticks, ticks.dropFirst() + [lastEnd]).map {
      Key(seeking: max($1 &- 1, $0 &+ delay), presentation: $0 &+ delay)
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// The one that frames shown at a time begin with; the first one for times before it.
  func lastKey(at ticks: Int64) -> Key? { keys.last { $0.presentation <= ticks } ?? keys.first }

  /// The ones before and behind a time; once at the ends.
  func neighbours(of ticks: Int64) -> [Key] {
    let behind = keys.firstIndex { $0.presentation > ticks } ?? keys.count
    return Array(keys[max(behind - 1, 0)..<min(behind + 1, keys.count)])
  }

  /// All of them, the nearest first.
  func all(by ticks: Int64) -> [Key] { keys.sorted { distance($0, ticks) < distance($1, ticks) } }

  private func distance(_ key: Key, _ ticks: Int64) -> UInt64 { key.presentation.magnitudeOfDistance(to: ticks) }
}

extension Int64 {
  /// Whatever a file claims: a difference must not trap.
  fileprivate func magnitudeOfDistance(to other: Int64) -> UInt64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? .max : difference.magnitude
  }
}
