import ClipModel

/// Limits the time between key frames of a source with a variable frame rate, so that finished GOPs are stored in time.
///
/// The encoders count frames: they start a GOP after the number of frames that lasts for the limit at the average frame rate.
/// In a slow part, that number of frames lasts longer. This type selects additional key frames. At a constant frame rate, it
/// selects none, so the output is the same as without it.
struct KeyFrameSchedule {
  /// The maximum number of frames from one key frame to the next.
  private let frameLimit: Int
  /// The maximum time from one key frame to the next, in ticks.
  private let tickLimit: Int64
  /// The presentation times of the last known key frame and of the frames after it.
  private var ticks: [Int64] = []

  init(frameLimit: Int, secondLimit: Double, timeBase: Rational) {
    self.frameLimit = max(frameLimit, 1)
    // Average frame rates from headers can be one or two frames too high.
    tickLimit = OutputWindow.ticks(secondLimit * (1 + 2 / Double(self.frameLimit)), in: timeBase)
  }

  /// Adds the next frame in presentation order, and returns whether it must be a key frame.
  mutating func requiresKeyFrame(at time: Int64) -> Bool {
    // The encoder delays its packets, so the last key frame may not be known yet. Assume that no scene cut has changed the
    // encoder's interval.
    let lastKey = ticks.count / frameLimit * frameLimit
    let frameCount = ticks.count - lastKey
    // Two adjacent key frames cannot be separated (`EncodingCheckpoint.add`).
    let isKey = frameCount >= 2 && time - ticks[lastKey] >= tickLimit
    if isKey { ticks = [] }
    ticks.append(time)
    return isKey
  }

  /// Starts at a key frame that the caller has requested.
  mutating func restart(at time: Int64) { ticks = [time] }

  /// Reports a key frame of the encoder's output.
  mutating func confirmKeyFrame(at time: Int64) {
    guard let first = ticks.first, time > first else { return }
    ticks.removeFirst(ticks.firstIndex { $0 >= time } ?? ticks.count)
  }
}
