import ClipModel
import LibAV

/// Analyzes the frames and audio that a transcode decodes: whether the video is black or frozen, and how loud the audio
/// is.
///
/// Confined to the pipeline's thread. Damaged video isn't recorded because it ends the transcode.
final class DecodingAnalyzer {
  private var analyzer = FrameAnalyzer()
  private var frames: [FrameStatistics] = []
  private var nextSeconds = 0.0
  private let interval: Double
  /// Whether frames and re-encoded audio are analyzed. If `false`, only copied audio is analyzed because nothing else
  /// decodes it.
  let analyzesFrames: Bool
  private var meter: AudioMeter?
  private var damage: [DecodingCheck.Result.Damage] = []
  /// The decoder that measures an audio track while the track is copied.
  private var copiedAudio: TrackDecoder?

  /// The number of frames to analyze, which is enough to distinguish a still image from a rally.
  private static let frameCount = 12.0

  /// - Parameter durationSeconds: the duration of the output.
  init(analyzesFrames: Bool, durationSeconds: Double) {
    self.analyzesFrames = analyzesFrames
    interval = max(durationSeconds / Self.frameCount, 0.5)
  }

  /// - Parameter seconds: the frame's presentation time in the output, in seconds.
  func analyze(_ frame: Frame, seconds: Double) throws {
    guard seconds >= nextSeconds else { return }
    nextSeconds = seconds + interval
    frames.append(try analyzer.statistics(of: frame))
  }

  /// Analyzes the frames of the finished output instead of the decoded frames, because an encode that continues doesn't
  /// decode the frames of the stored GOPs.
  func analyzeOutput(at path: String, durationSeconds: Double, interruption: Interruption) throws {
    let reader = try FrameReader(path: path, interruption: interruption)
    try reader.read(Array(stride(from: 0, to: durationSeconds, by: interval))) { _, shown in
      frames.append(try analyzer.statistics(of: shown.frame))
    }
  }

  /// Adds a frame of audio that is being re-encoded for the output.
  func addAudio(_ frame: Frame) {
    if meter == nil { meter = AudioMeter() }
    meter?.add(frame)
  }

  func addAudioDamage(_ why: String, seconds: Double) {
    guard damage.count < DecodingCheck.damageLimit else { return }
    damage.append(DecodingCheck.Result.Damage(seconds: max(seconds, 0), why: why, track: "audio"))
  }

  /// Prepares to measure an audio track that is copied. Pass all packets of the track to `processCopiedAudio`.
  func prepareCopiedAudio(_ stream: SourceStream, originSeconds: Double) {
    copiedAudio = try? TrackDecoder(stream, origin: originSeconds, role: .measureLoudness)
  }

  /// - Parameter packet: the next packet of the copied track, or `nil` at the end.
  func processCopiedAudio(_ packet: Packet?) throws { try copiedAudio?.decode(packet) }

  /// Notes about damage in copied audio. If `analyzesFrames` is `true`, `result(of:)` reports the damage instead.
  var notes: [ProcessingNote] {
    guard !analyzesFrames, let damage = copiedAudio?.damage, let first = damage.first else { return [] }
    return [.audioDamaged(seconds: first.seconds, placeCount: damage.count, isSilent: false)]
  }

  /// - Parameter source: the file whose NAL units are checked.
  func result(of source: MediaFile) throws -> DecodingCheck.Result {
    var result = DecodingCheck.Result(depth: .everything)
    result.apply(frames)
    result.brokenUnits = try NALUnitCheck.findBrokenSamples(in: source)
    let meter = meter ?? copiedAudio?.meter
    result.hasAudio = meter != nil
    result.loudness = meter?.result
    result.damage = damage + (copiedAudio?.damage ?? [])
    return result
  }
}
