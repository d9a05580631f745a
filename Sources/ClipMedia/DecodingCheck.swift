public import ClipModel
import Foundation
import LibAV

/// Looks at what decoding alone can tell: whether pictures and sound come out, and whether there is something to see.
public enum DecodingCheck {
  /// What was found.
  public struct Result: Sendable, Equatable {
    /// Where something could not be decoded, seconds of the presentation, and why; the first hundred.
    public var damage: [Damage] = []
    /// There is nothing to see in any frame that was looked at.
    public var isBlack = false
    /// All frames that were looked at are the same.
    public var isFrozen = false
    public var depth: InspectionDepth

    public struct Damage: Sendable, Equatable {
      public var seconds: Double
      public var why: String
      /// `video` or `audio`.
      public var track: String
    }
  }

  /// Frames in between that are looked at besides the first and the last one.
  private static let sampleCount = 4
  static let damageLimit = 100
  /// Mean difference of two frames, of 255, below which nothing moved: encoders refine a standing picture by a little.
  private static let standstill = 0.4

  /// Decodes the first frame, the last one and some between; the same ones of the same file.
  public static func sample(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let rules = try FrameReader(path: path, interruption: interruption).rules()
      let length = rules.durationSeconds
      // Which ones need not be guessed by whoever made the file, but has to be the same tomorrow.
      var state = UInt64(bitPattern: Int64(saturating: length * 1000))
      let inner = (0..<sampleCount).map { _ in
        // Numerical Recipes' generator: only spread matters.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return length * Double(state >> 11) / Double(1 << 53)
      }
      return try look(path, at: ([0, length] + inner).sorted(), interruption: interruption)
    }
  }

  private static func look(_ path: String, at seconds: [Double], interruption: Interruption) throws -> Result {
    var result = Result(depth: .frames)
    var looks: [FrameLook] = []
    let reader = try FrameReader(path: path, interruption: interruption)
    var scaler: FrameScaler?
    do {
      try reader.read(seconds) { place, shown in
        if let note = shown.note, result.damage.count < damageLimit {
          result.damage.append(Result.Damage(seconds: seconds[place], why: note, track: "video"))
        }
        let used = try scaler ?? FrameScaler(target: FrameLook.layout(for: shown.frame))
        scaler = used
        looks.append(FrameLook(try used.scale(shown.frame.still())))
      }
    } catch ClipMediaError.noFrames(_) {
      result.damage = [Result.Damage(seconds: 0, why: "no picture can be decoded", track: "video")]
    }
    result.isBlack = !looks.isEmpty && looks.allSatisfy(\.isBlack)
    result.isFrozen = looks.count > 2 && zip(looks, looks.dropFirst()).allSatisfy { $0.difference(to: $1) < standstill }
    return result
  }

  /// Decodes all of the picture and the sound.
  public static func everything(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let seconds = try FrameReader(path: path, interruption: interruption).rules().durationSeconds
      // What there is to see is told by frames spread over the clip.
      let spread = (0..<20).map { Double($0) * seconds / 20 }
      var result = try look(path, at: spread, interruption: interruption)
      result.depth = .everything
      result.damage = try damage(path, interruption: interruption)
      return result
    }
  }

  private static func damage(_ path: String, interruption: Interruption) throws -> [Result.Damage] {
    let (_, container) = try Prober.open(path: path, analysis: .whenNeeded, interruption: interruption)
    let streams = container.streams.filter { ($0.kind == .video && !$0.isAttachedPicture) || $0.kind == .audio }
    // What has no decoder is judged by other rules.
    var decoders: [Int: TrackDecoding] = [:]
    for stream in streams {
      decoders[stream.index] = (try? Decoder(stream)).map { TrackDecoding(stream, decoder: $0, container) }
    }
    container.select(Set(decoders.keys))
    let packet = try Packet()
    while try container.read(into: packet) {
      try interruption.check()
      try decoders[packet.streamIndex]?.take(packet)
    }
    for decoding in decoders.values { try decoding.take(nil) }
    return Array(decoders.values.flatMap(\.damage).sorted { $0.seconds < $1.seconds }.prefix(damageLimit))
  }
}

/// One track on its way through its decoder.
private final class TrackDecoding {
  private let stream: SourceStream
  private let decoder: Decoder
  private let origin: Double
  private let frame: Frame?
  private(set) var damage: [DecodingCheck.Result.Damage] = []

  init(_ stream: SourceStream, decoder: Decoder, _ container: InputContainer) {
    self.stream = stream
    self.decoder = decoder
    origin = container.originSeconds
    frame = try? Frame()
  }

  /// `nil` at the end.
  func take(_ packet: Packet?) throws {
    if let packet, packet.isCorrupt { note(packet.presentationTicks, "the packet is cut short") }
    do {
      while try !decoder.send(packet) { try drain() }
      try drain()
    } catch let error as FFmpegError where error.isOfTheDecoder {
      note(packet?.presentationTicks, error.logLine ?? error.codeText)
    }
  }

  private func drain() throws {
    guard let frame else { return }
    while try decoder.receive(into: frame) == .produced {
      if frame.isDamaged { note(frame.presentationTicks, "the frame is incomplete") }
    }
  }

  private func note(_ ticks: Int64?, _ why: String) {
    guard damage.count < DecodingCheck.damageLimit else { return }
    let seconds = ticks.map { Double($0) * stream.timeBase.value - origin } ?? 0
    damage.append(DecodingCheck.Result.Damage(seconds: max(seconds, 0), why: why, track: stream.kind.rawValue))
  }
}
