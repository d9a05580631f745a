import ClipModel
import LibAV

/// Collects what a transcode shows of its source: whether there is a picture, whether it moves, and how the sound is.
///
/// Confined to the pipeline's thread. Damage of the picture isn't collected: it ends the transcode.
final class DecodingExaminer {
  private var gallery = FrameStatisticsCollector()
  private var nextLook = 0.0
  private let lookStep: Double
  /// Pictures and encoded sound are examined; otherwise only copied sound, which nothing else decodes.
  let isWhole: Bool
  private var sound: SoundMeter?
  private var damage: [DecodingCheck.Result.Damage] = []
  /// Copied sound, decoded in parallel.
  private var copied: TrackDecoding?

  /// Frames that are examined: enough to tell a still picture from a rally.
  private static let lookCount = 12.0

  /// - Parameter durationSeconds: of the output.
  init(isWhole: Bool, durationSeconds: Double) {
    self.isWhole = isWhole
    lookStep = max(durationSeconds / Self.lookCount, 0.5)
  }

  /// - Parameter seconds: in the output.
  func look(at frame: Frame, seconds: Double) throws {
    guard seconds >= nextLook else { return }
    nextLook = seconds + lookStep
    try gallery.add(frame)
  }

  /// Sound that is decoded for the output.
  func hear(_ frame: Frame) {
    if sound == nil { sound = SoundMeter() }
    sound?.add(frame)
  }

  /// Damage of the sound.
  func note(_ why: String, seconds: Double) {
    guard damage.count < DecodingCheck.damageLimit else { return }
    damage.append(DecodingCheck.Result.Damage(seconds: max(seconds, 0), why: why, track: "audio"))
  }

  /// The packets of this track are copied; `hear(copied:)` gets them all.
  func prepare(copied stream: SourceStream, originSeconds: Double) {
    copied = try? TrackDecoding(stream, origin: originSeconds, role: .heard)
  }

  /// - Parameter packet: of a copied track; `nil` at the end.
  func hear(copied packet: Packet?) throws { try copied?.take(packet) }

  /// Damage of copied sound, for people; a verdict on the whole result reports it otherwise.
  var notes: [String] {
    guard !isWhole, let first = copied?.damage.first, let count = copied?.damage.count else { return [] }
    let places = count == 1 ? "" : " and in \(count - 1) more places"
    return ["the sound is damaged at \(decimal(first.seconds)) s\(places)"]
  }

  /// - Parameter source: where the lengths of its units are checked.
  func result(of source: SourceBytes) throws -> DecodingCheck.Result {
    var result = DecodingCheck.Result(depth: .everything)
    result.judge(gallery.looks)
    result.brokenUnits = try UnitLengths.broken(in: source)
    let meter = sound ?? copied?.sound
    result.hasSound = meter != nil
    result.loudness = meter?.result
    result.damage = damage + (copied?.damage ?? [])
    return result
  }
}
