import ClipModel
import LibAV

/// One track on its way through its decoder.
final class TrackDecoding {
  private let stream: SourceStream
  private let decoder: SourceDecoder
  private let origin: Double
  /// What is asked of its frames beside that they come out.
  enum Role {
    case decoded
    /// The video that is shown: a frame now and then is looked at.
    case lookedAt
    /// The sound that is played: it is measured.
    case heard
  }

  private let role: Role
  private var lastLook = -Double.infinity
  private(set) var damage: [DecodingCheck.Result.Damage] = []
  private(set) var gallery = FrameStatisticsCollector()
  private(set) var frameCount = 0
  private(set) var sound: SoundMeter?

  /// Seconds between two frames that are looked at, and how many there are at most: what was found in the first minutes
  /// holds.
  private static let lookStep = 0.5
  private static let lookLimit = 240

  /// - Throws: `FFmpegError` when nothing here can decode it.
  init(_ stream: SourceStream, origin: Double, role: Role) throws {
    self.stream = stream
    decoder = try SourceDecoder(stream, reusesFrame: true)
    self.origin = origin
    self.role = role
    if role == .heard { sound = SoundMeter() }
  }

  /// `nil` at the end.
  func take(_ packet: Packet?) throws {
    try decoder.take(packet) { damage in
      note(damage.ticks, damage.why)
    } output: { frame, isHidden in
      frameCount += 1
      switch role {
      case .decoded: break
      case .lookedAt: if !isHidden { try look(at: frame) }
      case .heard: sound?.add(frame)
      }
    }
  }

  private func look(at frame: Frame) throws {
    let seconds = self.seconds(frame.presentationTicks)
    guard gallery.looks.count < Self.lookLimit, seconds >= lastLook + Self.lookStep else { return }
    lastLook = seconds
    try gallery.add(frame)
  }

  private func seconds(_ ticks: Int64?) -> Double {
    ticks.map { Double($0) * stream.timeBase.value - origin } ?? 0
  }

  private func note(_ ticks: Int64?, _ why: String) {
    guard damage.count < DecodingCheck.damageLimit else { return }
    damage.append(
      DecodingCheck.Result.Damage(seconds: max(seconds(ticks), 0), why: why, track: stream.kind.rawValue))
  }
}

/// Frames as somebody sees them who asks whether there is anything to see.
struct FrameStatisticsCollector {
  private(set) var looks: [FrameStatistics] = []
  private var scaler: FrameScaler?

  mutating func add(_ frame: Frame) throws {
    let scaler = try self.scaler ?? FrameScaler(target: FrameStatistics.layout(for: frame))
    self.scaler = scaler
    looks.append(FrameStatistics(try scaler.scale(frame.still())))
  }
}
