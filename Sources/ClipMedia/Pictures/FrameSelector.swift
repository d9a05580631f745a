import ClipModel
import LibAV

/// Selects the best of several frames: sharp, well exposed, and with motion.
///
/// Add frames in order. A frame is scored when the next one arrives, because its motion is the difference to both
/// adjacent frames. Only the best and the last two frames are in memory.
struct FrameSelector {
  private struct Candidate {
    var shown: ShownFrame
    var statistics: FrameStatistics
    /// The mean difference to the previous frame, 0 to 255.
    var motionBefore: Double?
  }

  /// When the ball is in play, in seconds.
  private let play: Range<Double>?
  private var last: Candidate?
  private var best: (shown: ShownFrame, score: Double)?
  private var analyzer = FrameAnalyzer()

  init(play: Range<Double>?) { self.play = play }

  mutating func add(_ shown: ShownFrame) throws {
    let statistics = try analyzer.statistics(of: shown.frame)
    let motion = last.map { statistics.difference(to: $0.statistics) }
    if let last { score(last, motionAfter: motion) }
    last = Candidate(shown: shown, statistics: statistics, motionBefore: motion)
  }

  /// Returns the best frame; `nil` if there was none.
  mutating func finish() -> ShownFrame? {
    if let last { score(last, motionAfter: nil) }
    last = nil
    return best?.shown
  }

  private mutating func score(_ candidate: Candidate, motionAfter: Double?) {
    let motions = [candidate.motionBefore, motionAfter].compactMap(\.self)
    let motion = motions.isEmpty ? 0 : motions.reduce(0, +) / Double(motions.count)
    let score = candidate.statistics.score(motion: motion) * Self.nearness(of: candidate.shown.seconds, to: play)
    // If frames have equal scores, the first one is used, so that the result is the same everywhere.
    if let best, score <= best.score { return }
    best = (candidate.shown, score)
  }

  /// 1 while the ball is in play, decreasing with the distance in time.
  static func nearness(of seconds: Double, to play: Range<Double>?) -> Double {
    guard let play else { return 1 }
    let distance = max(play.lowerBound - seconds, seconds - play.upperBound, 0)
    return 1 / (1 + 2 * distance)
  }
}
