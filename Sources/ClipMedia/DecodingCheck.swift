public import ClipModel
import DurableFiles
import ISOMedia
import LibAV

/// Looks at what decoding alone can tell: whether pictures and sound come out, and whether there is something to see.
public enum DecodingCheck {
  /// What was found.
  public struct Result: Sendable, Equatable {
    /// What could not be decoded, in the order of time; the first hundred.
    public var damage: [Damage] = []
    /// Tracks that nothing here can decode.
    public var undecoded: [Int] = []
    /// Samples whose units do not add up to their size, the first hundred; `nil` for codecs and containers that are not
    /// looked into.
    public var brokenUnits: [Damage]?
    /// Whether there is a track of sound that can be played.
    public var hasSound = false
    /// Of that track; `nil` when it could not be measured.
    public var loudness: Loudness?
    /// There is nothing to see in any frame that was looked at.
    public var isBlack = false
    /// All frames that were looked at are the same.
    public var isFrozen = false
    public var depth: InspectionDepth

    public struct Damage: Sendable, Equatable {
      /// Of the presentation.
      public var seconds: Double
      public var why: String
      /// `video` or `audio`.
      public var track: String
    }

    fileprivate mutating func judge(_ looks: [FrameLook]) {
      isBlack = !looks.isEmpty && looks.allSatisfy(\.isBlack)
      isFrozen =
        looks.count > 2 && zip(looks, looks.dropFirst()).allSatisfy { $0.difference(to: $1) < DecodingCheck.standstill }
    }
  }

  static let damageLimit = 100
  /// Mean difference of two frames, of 255, below which nothing moved: encoders refine a standing picture by a little.
  fileprivate static let standstill = 0.4

  /// Decodes the first frame, the last one and four between.
  public static func sample(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let reader = try FrameReader(path: path, interruption: interruption)
      let length = reader.rules().durationSeconds
      // The golden ratio spreads well, and falls in with no rhythm of key frames.
      let inner = (1...4).map { length * (Double($0) * 0.618_034).truncatingRemainder(dividingBy: 1) }
      let seconds = ([0, length] + inner).sorted()
      var result = Result(depth: .frames)
      var gallery = FrameGallery()
      do {
        try reader.read(seconds) { place, shown in
          if let note = shown.note {
            result.damage.append(Result.Damage(seconds: seconds[place], why: note, track: "video"))
          }
          try gallery.add(shown.frame)
        }
      } catch ClipMediaError.noFrames(_) {
        result.damage = [Result.Damage(seconds: 0, why: "no picture can be decoded", track: "video")]
      }
      result.judge(gallery.looks)
      result.brokenUnits = try UnitLengths.broken(in: path, interruption: interruption)
      try hear(path, into: &result, interruption: interruption)
      return result
    }
  }

  /// Decodes the sound: of a minute that takes less than a frame of 4K.
  private static func hear(_ path: String, into result: inout Result, interruption: Interruption) throws {
    let (_, container) = try Prober.open(path: path, analysis: .whenNeeded, interruption: interruption)
    guard let audio = container.mainAudio else { return }
    result.hasSound = true
    guard let decoder = try? Decoder(audio) else { return result.undecoded.append(audio.index) }
    let track = try TrackDecoding(audio, decoder: decoder, origin: container.originSeconds, role: .heard)
    container.select([audio.index])
    let packet = try Packet()
    while try container.read(into: packet) {
      try interruption.check()
      try track.take(packet)
    }
    try track.take(nil)
    result.loudness = track.sound?.result
    result.damage = Array((result.damage + track.damage).sorted { $0.seconds < $1.seconds }.prefix(damageLimit))
  }

  /// Decodes all of the pictures and the sound, once.
  public static func everything(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let (_, container) = try Prober.open(path: path, analysis: .whenNeeded, interruption: interruption)
      let main = container.mainVideo?.index
      let heard = container.mainAudio?.index
      var tracks: [Int: TrackDecoding] = [:]
      var undecoded: [Int] = []
      for stream in container.streams
      where (stream.kind == .video && !stream.isAttachedPicture) || stream.kind == .audio {
        guard let decoder = try? Decoder(stream) else {
          undecoded.append(stream.index)
          continue
        }
        tracks[stream.index] = try TrackDecoding(
          stream, decoder: decoder, origin: container.originSeconds,
          role: stream.index == main ? .lookedAt : stream.index == heard ? .heard : .decoded)
      }
      container.select(Set(tracks.keys))
      let packet = try Packet()
      while try container.read(into: packet) {
        try interruption.check()
        try tracks[packet.streamIndex]?.take(packet)
      }
      for track in tracks.values { try track.take(nil) }
      var result = Result(depth: .everything)
      result.damage = Array(tracks.values.flatMap(\.damage).sorted { $0.seconds < $1.seconds }.prefix(damageLimit))
      if let track = main.flatMap({ tracks[$0] }), track.frameCount == 0 {
        result.damage.insert(Result.Damage(seconds: 0, why: "no picture can be decoded", track: "video"), at: 0)
      }
      result.undecoded = undecoded
      result.judge(main.flatMap { tracks[$0]?.gallery.looks } ?? [])
      result.brokenUnits = try UnitLengths.broken(in: path, interruption: interruption)
      result.hasSound = heard != nil
      result.loudness = heard.flatMap { tracks[$0]?.sound?.result }
      return result
    }
  }
}

/// Frames as somebody sees them who asks whether there is anything to see.
private struct FrameGallery {
  private(set) var looks: [FrameLook] = []
  private var scaler: FrameScaler?

  mutating func add(_ frame: Frame) throws {
    let scaler = try self.scaler ?? FrameScaler(target: FrameLook.layout(for: frame))
    self.scaler = scaler
    looks.append(FrameLook(try scaler.scale(frame.still())))
  }
}

/// One track on its way through its decoder.
private final class TrackDecoding {
  private let stream: SourceStream
  private let decoder: Decoder
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
  private let frame: Frame
  private var lastLook = -Double.infinity
  private(set) var damage: [DecodingCheck.Result.Damage] = []
  private(set) var gallery = FrameGallery()
  private(set) var frameCount = 0
  private(set) var sound: SoundMeter?

  /// Seconds between two frames that are looked at, and how many there are at most: what was found in the first minutes
  /// holds.
  private static let lookStep = 0.5
  private static let lookLimit = 240

  init(_ stream: SourceStream, decoder: Decoder, origin: Double, role: Role) throws {
    self.stream = stream
    self.decoder = decoder
    self.origin = origin
    self.role = role
    frame = try Frame()
    if role == .heard { sound = SoundMeter() }
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
    while try decoder.receive(into: frame) == .produced {
      frameCount += 1
      if frame.isDamaged { note(frame.presentationTicks, "the frame is incomplete") }
      switch role {
      case .decoded: break
      case .lookedAt: try look()
      case .heard: sound?.add(frame)
      }
    }
  }

  private func look() throws {
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

/// Measures the loudness of a track, frame by frame.
struct SoundMeter {
  private var meter: LoudnessMeter?
  /// Rate and channels may not change on the way: then nothing can be said.
  private var kind: (sampleRate: Int, channelCount: Int)?
  private var isSpoilt = false

  var result: Loudness? { isSpoilt ? nil : meter?.result() }

  mutating func add(_ frame: Frame) {
    let (rate, count) = (frame.sampleRate, frame.channelCount)
    if kind == nil {
      kind = (rate, count)
      meter = LoudnessMeter(sampleRate: rate, channelCount: count)
    }
    guard let kind, kind == (rate, count), !isSpoilt else {
      isSpoilt = true
      return
    }
    for channel in 0..<count {
      guard let samples = frame.samples(ofChannel: channel) else {
        isSpoilt = true
        return
      }
      meter?.add(samples.span, channel: channel)
    }
  }
}
