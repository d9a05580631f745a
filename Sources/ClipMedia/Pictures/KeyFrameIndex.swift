import ClipModel
import LibAV

/// The key frames of a track in a container with an index.
struct KeyFrameIndex {
  struct KeyFrame: Equatable {
    /// The time to seek to, which is just before the next key frame. Seeking to the presentation time of this key frame
    /// could miss it, because demuxers seek by decoding time.
    var seekTicks: Int64
    /// The key frame's presentation time, which is a few frames later than its decoding time in an open GOP.
    var presentation: Int64
  }

  private let keys: [KeyFrame]

  /// Reads the key frames from the container's index. Only the demuxer for MP4 and QuickTime has a complete index from
  /// the start. Other demuxers build their index while they read the file.
  init(_ stream: SourceStream, in container: InputContainer) {
    guard container.hasTrackDurations else {
      keys = []
      return
    }
    let entries = stream.indexEntries
    // All frames have the same delay as the first frame, which is shown at 0 by default.
    let first = entries.first { !$0.isDiscarded }?.ticks ?? 0
    let delay = max((stream.start?.ticks ?? 0) &- first, 0)
    let ticks = entries.filter { $0.isKeyFrame && !$0.isDiscarded }.map(\.ticks)
    let lastEnd = (entries.last?.ticks ?? 0) &+ delay &+ 1
    keys = zip(ticks, ticks.dropFirst() + [lastEnd]).map {
      KeyFrame(seekTicks: max($1 &- 1, $0 &+ delay), presentation: $0 &+ delay)
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// Returns the last key frame at or before a time, or the first key frame if there is none.
  func lastKeyFrame(at ticks: Int64) -> KeyFrame? { keys.last { $0.presentation <= ticks } ?? keys.first }

  /// Returns the key frames before and after a time, or a single key frame at either end of the track.
  func adjacentKeyFrames(of ticks: Int64) -> [KeyFrame] {
    let next = keys.firstIndex { $0.presentation > ticks } ?? keys.count
    return Array(keys[max(next - 1, 0)..<min(next + 1, keys.count)])
  }

  /// Returns all key frames, sorted by their distance from a time.
  func sorted(byDistanceTo ticks: Int64) -> [KeyFrame] {
    func distance(_ key: KeyFrame) -> UInt64 {
      // A damaged file may contain any timestamp, so the subtraction must not trap on overflow.
      let (difference, overflows) = key.presentation.subtractingReportingOverflow(ticks)
      return overflows ? .max : difference.magnitude
    }
    return keys.sorted { distance($0) < distance($1) }
  }
}
