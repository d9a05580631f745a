import ClipModel
import LibAV

/// Finds the best of a row of frames: sharp, well exposed, and where something happens.
///
/// Frames come in order. Each is judged by itself and by its difference to the ones before and behind it, so that the
/// best one is known one frame later, and only it and the last two are kept.
struct FrameSelector {
  private struct Candidate {
    var shown: ShownFrame
    var look: FrameStatistics
    /// Mean difference to the frame before it, 0 to 255.
    var motionBefore: Double?
  }

  /// When the ball is in play, seconds.
  let play: Range<Double>?
  private var last: Candidate?
  private var best: (shown: ShownFrame, score: Double)?
  private var scaler: FrameScaler?

  init(play: Range<Double>?) { self.play = play }

  /// Takes the next frame.
  mutating func add(_ shown: ShownFrame) throws {
    let look = try look(shown.frame)
    var candidate = Candidate(shown: shown, look: look)
    candidate.motionBefore = last.map { look.difference(to: $0.look) }
    if let last { judge(last, motionBehind: candidate.motionBefore) }
    last = candidate
  }

  /// The best of all; `nil` when there was none.
  mutating func finish() -> ShownFrame? {
    if let last { judge(last, motionBehind: nil) }
    last = nil
    return best?.shown
  }

  private mutating func judge(_ candidate: Candidate, motionBehind: Double?) {
    let motions = [candidate.motionBefore, motionBehind].compactMap(\.self)
    let motion = motions.isEmpty ? 0 : motions.reduce(0, +) / Double(motions.count)
    let score = candidate.look.score(motion: motion) * Self.nearness(of: candidate.shown.seconds, to: play)
    // The first of equals: the same clip gives the same picture everywhere.
    if let best, score <= best.score { return }
    best = (candidate.shown, score)
  }

  /// 1 while the ball is in play, less the farther away.
  static func nearness(of seconds: Double, to play: Range<Double>?) -> Double {
    guard let play else { return 1 }
    let distance = max(play.lowerBound - seconds, seconds - play.upperBound, 0)
    return 1 / (1 + 2 * distance)
  }

  private mutating func look(_ frame: Frame) throws -> FrameStatistics {
    let scaler = try self.scaler ?? FrameScaler(target: FrameStatistics.layout(for: frame))
    self.scaler = scaler
    return FrameStatistics(try scaler.scale(frame.still()))
  }
}
