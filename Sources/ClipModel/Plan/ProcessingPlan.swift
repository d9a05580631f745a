/// What will be done with a clip, and why. Pure data: `ClipRules.plan` makes it, `ClipProcessor.process` follows it.
public struct ProcessingPlan: Codable, Equatable, Sendable {
  /// The part of the source to keep, in seconds from the start of its presentation, half-open; `nil` for all of it.
  public var trim: Range<Double>?
  /// What happens to the picture.
  public var video: VideoTreatment
  /// What happens to the sound; `nil` when there is none in the output.
  public var audio: AudioTreatment?
  /// Tracks and metadata that do not go on, each with its reason.
  public var dropped: [Decision] = []
  /// Drawn of the output.
  public var pictures: [PicturePlan] = []
  /// Each decision in words, in the order taken.
  public var decisions: [Decision] = []
  /// Length of the output in seconds.
  public var durationSeconds: Double
  /// Rough size of the output; `nil` when unknown.
  public var estimatedByteCount: Int64?
  /// Damage ends the output instead of refusing the source.
  public var salvages: Bool?
  /// Of a copied cut: seconds from its key frame to its beginning. They go along, and the edit list hides them.
  public var leadSeconds: Double?

  /// One decision in words.
  public struct Decision: Codable, Equatable, Sendable {
    /// `video: transcode to H.264 1920x1080`.
    public var what: String
    /// `HEVC is not played everywhere`.
    public var why: String

    /// - Parameters:
    ///   - what: `video: transcode to H.264 1920x1080`.
    ///   - why: `HEVC is not played everywhere`.
    public init(_ what: String, because why: String) {
      self.what = what
      self.why = why
    }
  }
}

/// What happens to the picture.
public enum VideoTreatment: Codable, Equatable, Sendable {
  /// The packets go on as they are, with the source's orientation.
  case copy(trackIndex: Int)
  /// Decoded, taken through the steps in order, encoded.
  case transcode(trackIndex: Int, steps: [PictureStep], encoding: VideoEncoding)

  /// libav's stream index of the source's track.
  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .transcode(let trackIndex, _, _): trackIndex
    }
  }

  /// `nil` for a copy.
  public var encoding: VideoEncoding? {
    switch self {
    case .copy: nil
    case .transcode(_, _, let encoding): encoding
    }
  }
}

/// One thing that happens to every decoded frame.
public enum PictureStep: Codable, Equatable, Sendable {
  /// To this size in pixels as stored, and to BT.709 limited-range 8-bit 4:2:0, in one resampling.
  case scale(width: Int, height: Int)
  /// HDR light to SDR: from the source's transfer to BT.709.
  case toneMap(from: DynamicRange)
  /// Two fields of half the lines become two whole pictures: motion stays as smooth as it was filmed.
  case deinterlace
}

/// Settings of the video encoder. The output keeps the source's orientation as a display matrix, as cameras write it.
public struct VideoEncoding: Codable, Equatable, Sendable {
  /// Codec and profile.
  public var codec = Codec.h264
  /// As good as x264's `veryfast` at this constant rate factor: lower is better and bigger; 21 by default. The encoder's
  /// own factor follows from it and from the content (`EncoderRecipe`).
  public var constantRateFactor = 21.0
  /// Cap of the rate control, bits per second, and its buffer in bits.
  public var maximumBitsPerSecond: Int64 = 7_600_000
  /// The rate control's buffer, in bits.
  public var bufferBits: Int64 = 15_200_000
  /// Longest distance of two key frames in seconds.
  public var keyFrameIntervalSeconds = 10.0
  /// Of so many frames one is kept; 1 keeps all, with their timestamps.
  public var frameRateDivisor = 1
  /// The output must not be bigger than this; `nil` for a cut.
  public var sizeCap: SizeCap?
  /// A hardware encoder is tried first.
  public var usesHardware = false

  /// What the picture becomes.
  public enum Codec: String, Codable, Sendable {
    /// High profile, 8 bits, BT.709 SDR.
    case h264
    /// Main profile, 8 bits, BT.709 SDR.
    case hevc
    /// Main 10 profile, with the source's own HDR.
    case hevcHDR
  }

  /// How big the output may get, and the second try when the first came out bigger.
  public struct SizeCap: Codable, Equatable, Sendable {
    /// Bytes of the whole file.
    public var byteCount: Int64
    /// What the video may take so that everything fits.
    public var bitsPerSecond: Int64
    /// Below this the picture would look bad: then the bigger file stays, unless the cap is a promise.
    public var floorBitsPerSecond: Int64
    /// The user named the size; otherwise it is the source's.
    public var isPromise = false
  }
}

/// What happens to the sound.
public enum AudioTreatment: Codable, Equatable, Sendable {
  /// The packets go on as they are.
  case copy(trackIndex: Int)
  /// To AAC-LC with this many channels (1, 2 or 6), sample rate in hertz, bits per second.
  case encode(trackIndex: Int, channelCount: Int, sampleRate: Int, bitsPerSecond: Int64)

  /// libav's stream index of the source's track.
  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .encode(let trackIndex, _, _, _): trackIndex
    }
  }
}
