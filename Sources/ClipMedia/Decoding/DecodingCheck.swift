public import ClipModel
import LibAV

/// Checks properties that require decoding: whether the video and audio can be decoded, and whether the video is black
/// or frozen.
public enum DecodingCheck {
  /// The result of decoding a clip.
  public struct Result: Sendable, Equatable {
    /// The parts of the clip that could not be decoded, sorted by time. Contains at most 100 entries.
    public var damage: [Damage] = []
    /// The indexes of tracks that have no decoder.
    public var undecoded: [Int] = []
    /// The samples whose NAL unit lengths don't add up to the sample size, at most 100. `nil` if the codec or container
    /// isn't checked.
    public var brokenUnits: [Damage]?
    /// Whether the clip has a playable audio track.
    public var hasAudio = false
    /// The loudness of the audio track, or `nil` if it could not be measured.
    public var loudness: Loudness?
    /// Whether all analyzed frames are black.
    public var isBlack = false
    /// Whether all analyzed frames are nearly identical.
    public var isFrozen = false
    /// How much of the clip was decoded: `frames` for a sample, or `everything`.
    public var depth: InspectionDepth

    /// Creates a result without any findings.
    public init(depth: InspectionDepth) { self.depth = depth }

    /// A part of a track that cannot be decoded.
    public struct Damage: Sendable, Equatable {
      /// The presentation time in seconds.
      public var seconds: Double
      /// The decoder's error message.
      public var why: String
      /// The kind of track: `video` or `audio`.
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
  /// Encoding changes a still image by less than this.
  fileprivate static let motionThreshold = 0.4
  private static let noFrames = Result.Damage(seconds: 0, why: "no frame can be decoded", track: "video")

  /// Returns the result for a clip whose transcode stopped at damaged video.
  /// - Parameter seconds: the presentation time of the damage, in seconds.
  package static func makeDamagedResult(at seconds: Double, why: String, in clip: OpenedClip) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      var result = Result(depth: .everything)
      result.damage = [Result.Damage(seconds: seconds, why: why, track: "video")]
      result.brokenUnits = try NALUnitCheck.findBrokenSamples(in: MediaFile(clip, interruption: interruption))
      return result
    }
  }

  /// Decodes the audio and six frames, including the first and the last. If any of them is damaged, decodes the entire
  /// clip.
  public static func decodeSample(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      try decodeSample(of: MediaFile(path: path, interruption: interruption), interruption)
    }
  }

  /// Decodes a sample of an open clip, like ``decodeSample(path:)``.
  public static func decodeSample(of clip: OpenedClip) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      try decodeSample(of: MediaFile(clip, interruption: interruption), interruption)
    }
  }

  private static func decodeSample(of file: MediaFile, _ interruption: Interruption) throws -> Result {
    let reader = try FrameReader(file, interruption: interruption)
    let length = reader.pictureRules().durationSeconds
    // Multiples of the golden ratio are spread evenly and don't align with the key frame interval.
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
    result.brokenUnits = try NALUnitCheck.findBrokenSamples(in: file)
    // Decoding a minute of audio takes less time than decoding one 4K frame.
    let audio = try decode(file, onlyMainAudio: true, interruption: interruption)
    result.hasAudio = audio.hasAudio
    result.loudness = audio.loudness
    result.undecoded = audio.undecoded
    result.damage = sortByTime(result.damage + audio.damage)
    guard !result.damage.isEmpty else { return result }
    // A frame that cannot be decoded after a seek may only depend on frames before its key frame, so decode
    // everything.
    let whole = try decode(file, interruption: interruption)
    result.damage = whole.damage
    result.undecoded = whole.undecoded
    return result
  }

  /// Decodes all video and audio once.
  public static func decodeEverything(path: String) async throws -> Result {
    try await MediaThread.run(named: "bsc check") { interruption in
      let file = try MediaFile(path: path, interruption: interruption)
      var result = try decode(file, interruption: interruption)
      result.brokenUnits = try NALUnitCheck.findBrokenSamples(in: file)
      return result
    }
  }

  private static func sortByTime(_ damage: [Result.Damage]) -> [Result.Damage] {
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
    result.damage = sortByTime(tracks.values.flatMap(\.damage))
    if let track = video.flatMap({ tracks[$0] }) {
      if track.frameCount == 0 { result.damage.insert(noFrames, at: 0) }
      result.apply(track.frames)
    }
    result.loudness = audio.flatMap { tracks[$0]?.meter?.result }
    return result
  }
}
