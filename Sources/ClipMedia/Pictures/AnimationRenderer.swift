import ClipModel
import LibAV

/// Draws a few seconds that move: the first ones, or the best.
final class AnimationRenderer: PictureRenderer {
  private struct Moment {
    /// When it was asked for: the rhythm of the result, whatever the source's is.
    var seconds: Double
    var picture: RGBPicture
  }

  private struct Sample {
    var seconds: Double
    var score: Double
  }

  private let plan: AnimationPlan
  private let geometry: FrameGeometry
  private let name: String
  private var scaler: UprightScaler?
  private var moments: [Moment] = []
  /// With a search for the best part: what was looked at.
  private var samples: [Sample] = []
  private var lookScaler: FrameScaler?
  private var lastLook: FrameStatistics?
  private var best: (score: Double, moments: [Moment])?
  private var notes: [String] = []

  /// Between two frames that are judged, seconds.
  private static let sampleStep = 0.2

  let seconds: [Double]

  init(_ plan: AnimationPlan, geometry: FrameGeometry, name: String) {
    self.plan = plan
    self.geometry = geometry
    self.name = name
    seconds = plan.seconds
  }

  private var length: Double { plan.range.upperBound - plan.range.lowerBound }

  func take(_ shown: ShownFrame, at place: Int) throws {
    let scaler = try self.scaler ?? UprightScaler(geometry, to: plan.size, layout: PictureLayout.rgb)
    self.scaler = scaler
    moments.append(Moment(seconds: seconds[place], picture: try scaler.scale(shown.frame).rgbPicture()))
    if let note = shown.note { notes.append(note) }
    guard plan.picksBest else { return }
    moments.removeAll { $0.seconds <= seconds[place] - length }
    if seconds[place] >= (samples.last?.seconds ?? -1) + Self.sampleStep { try judge(shown, at: seconds[place]) }
  }

  /// The part that ends here is the best one so far when its frames are, on average.
  private func judge(_ shown: ShownFrame, at seconds: Double) throws {
    let scaler = try lookScaler ?? FrameScaler(target: FrameStatistics.layout(for: shown.frame))
    lookScaler = scaler
    let look = FrameStatistics(try scaler.scale(shown.frame.still()))
    let motion = lastLook.map { look.difference(to: $0) } ?? 0
    lastLook = look
    let nearness = FrameSelector.nearness(of: seconds, to: plan.play)
    samples.append(Sample(seconds: seconds, score: look.score(motion: motion) * nearness))
    samples.removeAll { $0.seconds <= seconds - length }
    let score = samples.reduce(0) { $0 + $1.score } / Double(samples.count)
    let isWhole = seconds + 1 / plan.framesPerSecond >= length
    guard isWhole, score > best?.score ?? 0 else { return }
    best = (score, moments)
  }

  func finish() throws -> [PictureFile] {
    let chosen = best?.moments ?? Array(moments.prefix { $0.seconds < moments[0].seconds + length })
    guard let first = chosen.first else { return [] }
    let coder = AnimationCoder(
      frames: chosen.map { AnimationCoder.Frame(seconds: $0.seconds - first.seconds, picture: $0.picture) },
      framesPerSecond: plan.framesPerSecond, byteLimit: plan.byteLimit, name: name)
    return try plan.formats.map { format in
      let coded = try coder.encode(format)
      return PictureFile(
        fileExtension: format.fileExtension, bytes: coded.bytes, size: coded.size, seconds: [first.seconds],
        notes: notes.forPeople + [coded.note].compactMap(\.self))
    }
  }
}
