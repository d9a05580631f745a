import ClipModel
import LibAV

/// Selects the best of several frames: one that is sharp, well exposed and shows motion.
///
/// Frames must be added in order. A frame is scored when the next one is added, because motion is measured as the
/// difference from both adjacent frames. Only the best and the last two frames are kept in memory.
struct FrameSelector {
  private struct Candidate {
    var shown: ShownFrame
    var statistics: FrameStatistics
    /// The mean difference from the previous frame, from 0 to 255.
    var motionBefore: Double?
  }

  /// The time range in which the ball is in play, in seconds.
  private let play: Range<Double>?
  private var last: Candidate?
  private var best: (shown: ShownFrame, score: Double)?
  private var analyzer = FrameAnalyzer()

  init(play: Range<Double>?) { self.play = play }

  mutating func add(_ shown: ShownFrame) throws {
    let statistics = try analyzer.statistics(of: shown.frame)
    let motion = last.map { statistics.difference(to: $0.statistics) }
    if let last { scoreCandidate(last, motionAfter: motion) }
    last = Candidate(shown: shown, statistics: statistics, motionBefore: motion)
  }

  /// Returns the best frame, or `nil` if no frames were added.
  mutating func finish() -> ShownFrame? {
    if let last { scoreCandidate(last, motionAfter: nil) }
    last = nil
    return best?.shown
  }

  private mutating func scoreCandidate(_ candidate: Candidate, motionAfter: Double?) {
    let motions = [candidate.motionBefore, motionAfter].compactMap(\.self)
    let motion = motions.isEmpty ? 0 : motions.reduce(0, +) / Double(motions.count)
    let score = candidate.statistics.score(motion: motion) * Self.proximityScore(of: candidate.shown.seconds, to: play)
    // If frames have the same score, use the first one, so that the result is the same on every machine.
    if let best, score <= best.score { return }
    best = (candidate.shown, score)
  }

  /// Returns 1 for times at which the ball is in play. For other times, the value decreases with the time difference.
  static func proximityScore(of seconds: Double, to play: Range<Double>?) -> Double {
    guard let play else { return 1 }
    let distance = max(play.lowerBound - seconds, seconds - play.upperBound, 0)
    return 1 / (1 + 2 * distance)
  }
}
