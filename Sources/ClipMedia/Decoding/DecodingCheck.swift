public import ClipModel
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
    /// `frames` when some of it was decoded, `everything` when all was.
    public var depth: InspectionDepth

    /// Nothing was found, and nothing looked into.
    public init(depth: InspectionDepth) { self.depth = depth }

    /// A place that cannot be decoded.
    public struct Damage: Sendable, Equatable {
      /// Of the presentation.
      public var seconds: Double
      /// The decoder's words.
      public var why: String
      /// `video` or `audio`.
      public var track: String
    }

    mutating func judge(_ looks: [FrameStatistics]) {
      isBlack = !looks.isEmpty && looks.allSatisfy(\.isBlack)
      isFrozen =
        looks.count > 2 && zip(looks, looks.dropFirst()).allSatisfy { $0.difference(to: $1) < DecodingCheck.standstill }
    }
  }

  static let damageLimit = 100
  /// Mean difference of two frames, of 255, below which nothing moved: encoders refine a standing picture by a little.
  fileprivate static let standstill = 0.4

  /// What is known of a clip whose transcode stopped at damage.
  /// - Parameter seconds: of the presentation.
  package static func damage(at seconds: Double, why: String, in path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      var result = Result(depth: .everything)
      result.damage = [Result.Damage(seconds: seconds, why: why, track: "video")]
      result.brokenUnits = try UnitLengths.broken(in: SourceBytes(path: path, interruption: interruption))
      return result
    }
  }

  /// Decodes the first frame, the last one and four between.
  public static func sample(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let reader = try FrameReader(path: path, interruption: interruption)
      let length = reader.rules().durationSeconds
      // The golden ratio spreads well, and falls in with no rhythm of key frames.
      let inner = (1...4).map { length * (Double($0) * 0.618_034).truncatingRemainder(dividingBy: 1) }
      let seconds = ([0, length] + inner).sorted()
      var result = Result(depth: .frames)
      var gallery = FrameStatisticsCollector()
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
      let source = try SourceBytes(path: path, interruption: interruption)
      result.brokenUnits = try UnitLengths.broken(in: source)
      try hear(source, into: &result, interruption: interruption)
      guard !result.damage.isEmpty else { return result }
      // A frame that does not come after a jump may need more than the key frame before it. Only all of it tells.
      let whole = try everything(source, interruption: interruption)
      result.damage = whole.damage
      result.undecoded = whole.undecoded
      return result
    }
  }

  /// Decodes the sound: of a minute that takes less than a frame of 4K.
  private static func hear(_ source: SourceBytes, into result: inout Result, interruption: Interruption) throws {
    let container = try source.open(.whenNeeded, interruption: interruption)
    guard let audio = container.mainAudio else { return }
    result.hasSound = true
    guard let track = try? TrackDecoding(audio, origin: container.originSeconds, role: .heard) else {
      return result.undecoded.append(audio.index)
    }
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
      try everything(SourceBytes(path: path, interruption: interruption), interruption: interruption)
    }
  }

  private static func everything(_ source: SourceBytes, interruption: Interruption) throws -> Result {
    let container = try source.open(.whenNeeded, interruption: interruption)
    let main = container.mainVideo?.index
    let heard = container.mainAudio?.index
    var tracks: [Int: TrackDecoding] = [:]
    var undecoded: [Int] = []
    for stream in container.streams
    where (stream.kind == .video && !stream.isAttachedPicture) || stream.kind == .audio {
      let role: TrackDecoding.Role =
        stream.index == main ? .lookedAt : stream.index == heard ? .heard : .decoded
      guard let track = try? TrackDecoding(stream, origin: container.originSeconds, role: role) else {
        undecoded.append(stream.index)
        continue
      }
      tracks[stream.index] = track
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
    result.brokenUnits = try UnitLengths.broken(in: source)
    result.hasSound = heard != nil
    result.loudness = heard.flatMap { tracks[$0]?.sound?.result }
    return result
  }
}
