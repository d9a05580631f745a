import ClipModel
import LibAV

/// Renders an animation of a few seconds from the first or the best part of a clip.
final class AnimationRenderer: PictureRenderer {
  private struct Sample {
    var seconds: Double
    var score: Double
  }

  private let plan: AnimationPlan
  private let geometry: FrameGeometry
  private let name: String
  private var scaler: UprightScaler?
  /// The frames at the requested times, which determine the timing of the animation.
  private var frames: [AnimationCoder.Frame] = []
  /// The scored frames of the current part of the clip.
  private var samples: [Sample] = []
  private var analyzer = FrameAnalyzer()
  private var lastStatistics: FrameStatistics?
  private var best: (score: Double, frames: [AnimationCoder.Frame])?
  private var notes: [String] = []

  /// The interval between scored frames, in seconds.
  private static let sampleInterval = 0.2

  let seconds: [Double]

  init(_ plan: AnimationPlan, geometry: FrameGeometry, name: String) {
    self.plan = plan
    self.geometry = geometry
    self.name = name
    seconds = plan.seconds
  }

  private var length: Double { plan.range.upperBound - plan.range.lowerBound }

  func add(_ shown: ShownFrame, at index: Int) throws {
    let scaler = try self.scaler ?? UprightScaler(geometry, to: plan.size, layout: FrameLayout.rgb)
    self.scaler = scaler
    frames.append(AnimationCoder.Frame(seconds: seconds[index], picture: try scaler.scale(shown.frame).rgbPicture()))
    if let note = shown.note { notes.append(note) }
    guard plan.picksBest else { return }
    frames.removeAll { $0.seconds <= seconds[index] - length }
    if seconds[index] >= (samples.last?.seconds ?? -1) + Self.sampleInterval {
      try scoreCurrentPart(shown, at: seconds[index])
    }
  }

  /// Scores the part of the clip that ends at `seconds`. The score is the mean score of the part's frames.
  private func scoreCurrentPart(_ shown: ShownFrame, at seconds: Double) throws {
    let statistics = try analyzer.statistics(of: shown.frame)
    let motion = lastStatistics.map { statistics.difference(to: $0) } ?? 0
    lastStatistics = statistics
    let nearness = FrameSelector.proximityScore(of: seconds, to: plan.play)
    samples.append(Sample(seconds: seconds, score: statistics.score(motion: motion) * nearness))
    samples.removeAll { $0.seconds <= seconds - length }
    let score = samples.reduce(0) { $0 + $1.score } / Double(samples.count)
    let isComplete = seconds + 1 / plan.framesPerSecond >= length
    guard isComplete, score > best?.score ?? 0 else { return }
    best = (score, frames)
  }

  func finish() throws -> [PictureFile] {
    guard let start = (best?.frames ?? frames).first?.seconds else { return [] }
    let chosen = best?.frames ?? Array(frames.prefix { $0.seconds < start + length })
    let coder = AnimationCoder(
      frames: chosen.map { AnimationCoder.Frame(seconds: $0.seconds - start, picture: $0.picture) },
      framesPerSecond: plan.framesPerSecond, byteLimit: plan.byteLimit, name: name)
    return try plan.formats.map { format in
      let coded = try coder.encode(format)
      return PictureFile(
        fileExtension: format.fileExtension, bytes: coded.bytes, size: coded.size, seconds: [start],
        notes: notes.summarized + [coded.note].compactMap(\.self))
    }
  }
}
