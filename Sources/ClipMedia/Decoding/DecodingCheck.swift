public import ClipModel
import LibAV

/// Checks properties that require decoding: whether video and audio can be decoded, and whether the video shows
/// anything.
public enum DecodingCheck {
  /// The result of decoding a clip.
  public struct Result: Sendable, Equatable {
    /// The positions that could not be decoded, sorted by time; at most 100 entries.
    public var damage: [Damage] = []
    /// The indexes of tracks without a decoder.
    public var undecoded: [Int] = []
    /// Samples whose NAL units don't add up to their size, at most 100; `nil` for codecs and containers that aren't
    /// checked.
    public var brokenUnits: [Damage]?
    /// Whether there is a playable audio track.
    public var hasAudio = false
    /// The loudness of the audio track; `nil` if it could not be measured.
    public var loudness: Loudness?
    /// Whether all analyzed frames are black.
    public var isBlack = false
    /// Whether all analyzed frames are the same.
    public var isFrozen = false
    /// `frames` if a sample was decoded, `everything` if everything was.
    public var depth: InspectionDepth

    /// A result without any findings.
    public init(depth: InspectionDepth) { self.depth = depth }

    /// A position that cannot be decoded.
    public struct Damage: Sendable, Equatable {
      /// The presentation time in seconds.
      public var seconds: Double
      /// The message of the decoder.
      public var why: String
      /// `video` or `audio`.
      public var track: String
    }

    mutating func apply(_ frames: [FrameStatistics]) {
      isBlack = !frames.isEmpty && frames.allSatisfy(\.isBlack)
      isFrozen =
        frames.count > 2
        && zip(frames, frames.dropFirst()).allSatisfy { $0.difference(to: $1) < DecodingCheck.motionThreshold }
    }
  }

  static let damageLimit = 100
  /// The mean difference between two frames, on a scale of 0 to 255, below which the video is considered still.
  /// Encoders change a still image by less.
  fileprivate static let motionThreshold = 0.4
  private static let noFrames = Result.Damage(seconds: 0, why: "no frame can be decoded", track: "video")

  /// The result for a clip whose transcode stopped at damage.
  /// - Parameter seconds: the time of the damage in the presentation.
  package static func damage(at seconds: Double, why: String, in path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      var result = Result(depth: .everything)
      result.damage = [Result.Damage(seconds: seconds, why: why, track: "video")]
      result.brokenUnits = try NALUnitCheck.broken(in: MediaFile(path: path, interruption: interruption))
      return result
    }
  }

  /// Decodes six frames, including the first and the last one, and the audio. Decodes everything if it finds damage.
  public static func sample(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let reader = try FrameReader(path: path, interruption: interruption)
      let length = reader.rules().durationSeconds
      // The golden ratio distributes the times evenly, without aligning with the key frame interval.
      let inner = (1...4).map { length * (Double($0) * 0.618_034).truncatingRemainder(dividingBy: 1) }
      let seconds = ([0, length] + inner).sorted()
      var result = Result(depth: .frames)
      var analyzer = FrameAnalyzer()
      var frames: [FrameStatistics] = []
      do {
        try reader.read(seconds) { index, shown in
          if let note = shown.note {
            result.damage.append(Result.Damage(seconds: seconds[index], why: note, track: "video"))
          }
          frames.append(try analyzer.statistics(of: shown.frame))
        }
      } catch ClipMediaError.noFrames(_) {
        result.damage = [noFrames]
      }
      result.apply(frames)
      let file = try MediaFile(path: path, interruption: interruption)
      result.brokenUnits = try NALUnitCheck.broken(in: file)
      // Decoding a minute of audio takes less time than one 4K frame.
      let audio = try decode(file, onlyMainAudio: true, interruption: interruption)
      result.hasAudio = audio.hasAudio
      result.loudness = audio.loudness
      result.undecoded = audio.undecoded
      result.damage = sorted(result.damage + audio.damage)
      guard !result.damage.isEmpty else { return result }
      // A frame that fails after a seek may only need frames before its key frame, so decode everything.
      let whole = try decode(file, interruption: interruption)
      result.damage = whole.damage
      result.undecoded = whole.undecoded
      return result
    }
  }

  /// Decodes all video and audio once.
  public static func everything(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let file = try MediaFile(path: path, interruption: interruption)
      var result = try decode(file, interruption: interruption)
      result.brokenUnits = try NALUnitCheck.broken(in: file)
      return result
    }
  }

  private static func sorted(_ damage: [Result.Damage]) -> [Result.Damage] {
    Array(damage.sorted { $0.seconds < $1.seconds }.prefix(damageLimit))
  }

  private static func decode(
    _ file: MediaFile, onlyMainAudio: Bool = false, interruption: Interruption
  ) throws -> Result {
    let container = try file.open(.whenNeeded, interruption: interruption)
    let (video, audio) = (container.mainVideo?.index, container.mainAudio?.index)
    var result = Result(depth: .everything)
    result.hasAudio = audio != nil
    var tracks: [Int: TrackDecoder] = [:]
    for stream in container.streams {
      let isPlayable = (stream.kind == .video && !stream.isAttachedPicture) || stream.kind == .audio
      guard onlyMainAudio ? stream.index == audio : isPlayable else { continue }
      let role: TrackDecoder.Role =
        stream.index == video ? .analyzeFrames : stream.index == audio ? .measureLoudness : .decodeOnly
      if let track = try? TrackDecoder(stream, origin: container.originSeconds, role: role) {
        tracks[stream.index] = track
      } else {
        result.undecoded.append(stream.index)
      }
    }
    guard !tracks.isEmpty else { return result }
    container.select(Set(tracks.keys))
    let packet = try Packet()
    while try container.read(into: packet) {
      try interruption.check()
      try tracks[packet.streamIndex]?.decode(packet)
    }
    for track in tracks.values { try track.decode(nil) }
    result.damage = sorted(tracks.values.flatMap(\.damage))
    if let track = video.flatMap({ tracks[$0] }) {
      if track.frameCount == 0 { result.damage.insert(noFrames, at: 0) }
      result.apply(track.frames)
    }
    result.loudness = audio.flatMap { tracks[$0]?.meter?.result }
    return result
  }
}
