import ClipModel
import LibAV

/// Decodes one track of a file and records its damaged parts.
final class TrackDecoder {
  private let stream: SourceStream
  private let decoder: SourceDecoder
  private let origin: Double
  private let role: Role
  private var analyzer = FrameAnalyzer()
  private var lastSeconds = -Double.infinity
  private(set) var damage: [DecodingCheck.Result.Damage] = []
  private(set) var frames: [FrameStatistics] = []
  private(set) var frameCount = 0
  private(set) var meter: AudioMeter?

  /// How decoded frames are used.
  enum Role {
    case decodeOnly
    case analyzeFrames
    case measureLoudness
  }

  /// The interval between analyzed frames in seconds. At most `frameLimit` frames, about two minutes, are analyzed.
  private static let interval = 0.5
  private static let frameLimit = 240

  /// - Throws: `FFmpegError` if no decoder is available for the track.
  init(_ stream: SourceStream, origin: Double, role: Role) throws {
    self.stream = stream
    decoder = try SourceDecoder(stream, reusesFrame: true)
    self.origin = origin
    self.role = role
    if role == .measureLoudness { meter = AudioMeter() }
  }

  /// - Parameter packet: the next packet, or `nil` at the end of the track.
  func decode(_ packet: Packet?) throws {
    try decoder.decode(packet) { found in
      guard damage.count < DecodingCheck.damageLimit else { return }
      damage.append(
        DecodingCheck.Result.Damage(
          seconds: max(convertToSeconds(found.ticks), 0), why: found.why, track: stream.kind.rawValue))
    } output: { frame, isHidden in
      frameCount += 1
      switch role {
      case .decodeOnly: break
      case .analyzeFrames: if !isHidden { try analyze(frame) }
      case .measureLoudness: meter?.add(frame)
      }
    }
  }

  private func analyze(_ frame: Frame) throws {
    let seconds = convertToSeconds(frame.presentationTicks)
    guard frames.count < Self.frameLimit, seconds >= lastSeconds + Self.interval else { return }
    lastSeconds = seconds
    frames.append(try analyzer.statistics(of: frame))
  }

  private func convertToSeconds(_ ticks: Int64?) -> Double {
    ticks.map { Double($0) * stream.timeBase.value - origin } ?? 0
  }
}
