/// What will be done with a clip, and why. Pure data: `ClipRules.plan` makes it, `ClipProcessor.process` follows it.
public struct ProcessingPlan: Codable, Equatable, Sendable {
  /// The part of the source to keep, in seconds from the start of its presentation, half-open; `nil` for all of it.
  public var trim: Range<Double>?
  public var video: VideoTreatment
  public var audio: AudioTreatment?
  /// Tracks and metadata that do not go on, each with its reason.
  public var dropped: [DroppedPart]
  public var poster: PosterPlan
  /// Each decision in words, in the order taken.
  public var decisions: [Decision]
  /// Length of the output in seconds.
  public var durationSeconds: Double
  /// Rough size of the output; `nil` when nobody can tell.
  public var estimatedByteCount: Int64?

  public init(
    trim: Range<Double>? = nil, video: VideoTreatment, audio: AudioTreatment? = nil, dropped: [DroppedPart] = [],
    poster: PosterPlan, decisions: [Decision] = [], durationSeconds: Double, estimatedByteCount: Int64? = nil
  ) {
    self.trim = trim
    self.video = video
    self.audio = audio
    self.dropped = dropped
    self.poster = poster
    self.decisions = decisions
    self.durationSeconds = durationSeconds
    self.estimatedByteCount = estimatedByteCount
  }

  public struct Decision: Codable, Equatable, Sendable {
    /// `video: transcode to H.264 1920x1080`.
    public var what: String
    /// `HEVC is not played everywhere`.
    public var why: String

    public init(_ what: String, because why: String) {
      self.what = what
      self.why = why
    }
  }

  public struct DroppedPart: Codable, Equatable, Sendable {
    /// `track 3 (gpmd)`, `moov/udta/©xyz`.
    public var what: String
    public var why: String

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

  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .transcode(let trackIndex, _, _): trackIndex
    }
  }
}

/// One thing that happens to every decoded frame.
public enum PictureStep: Codable, Equatable, Sendable {
  /// To this size in pixels as stored, and to BT.709 limited-range 8-bit 4:2:0, in one resampling.
  case scale(width: Int, height: Int)
  /// HDR light to SDR: from the source's transfer to BT.709.
  case toneMap(from: DynamicRange)
}

/// Settings of the H.264 encoder. The output keeps the source's orientation as a display matrix, as cameras write it.
public struct VideoEncoding: Codable, Equatable, Sendable {
  /// x264's constant rate factor: lower is better and bigger; 21 by default.
  public var constantRateFactor: Double
  /// Cap of the rate control, bits per second, and its buffer in bits.
  public var maximumBitsPerSecond: Int64
  public var bufferBits: Int64
  /// Longest distance of two key frames in seconds.
  public var keyFrameIntervalSeconds: Double
  /// Of so many frames one is kept; 1 keeps all, with their timestamps.
  public var frameRateDivisor: Int
  /// The output must not be bigger than the source; `nil` where that makes no sense (a cut).
  public var sizeCap: SizeCap?

  /// "Never bigger than the source": the second try when the first came out bigger.
  public struct SizeCap: Codable, Equatable, Sendable {
    public var sourceByteCount: Int64
    /// What the video may take so that everything fits.
    public var bitsPerSecond: Int64
    /// Below this the picture would look bad: then the bigger file stays.
    public var floorBitsPerSecond: Int64

    public init(sourceByteCount: Int64, bitsPerSecond: Int64, floorBitsPerSecond: Int64) {
      self.sourceByteCount = sourceByteCount
      self.bitsPerSecond = bitsPerSecond
      self.floorBitsPerSecond = floorBitsPerSecond
    }
  }

  public init(
    constantRateFactor: Double = 21, maximumBitsPerSecond: Int64 = 7_600_000, bufferBits: Int64 = 7_600_000,
    keyFrameIntervalSeconds: Double = 5, frameRateDivisor: Int = 1, sizeCap: SizeCap? = nil
  ) {
    self.constantRateFactor = constantRateFactor
    self.maximumBitsPerSecond = maximumBitsPerSecond
    self.bufferBits = bufferBits
    self.keyFrameIntervalSeconds = keyFrameIntervalSeconds
    self.frameRateDivisor = frameRateDivisor
    self.sizeCap = sizeCap
  }
}

/// What happens to the sound.
public enum AudioTreatment: Codable, Equatable, Sendable {
  case copy(trackIndex: Int)
  /// To AAC-LC with this many channels (1, 2 or 6), sample rate in hertz, bits per second.
  case encode(trackIndex: Int, channelCount: Int, sampleRate: Int, bitsPerSecond: Int64)

  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .encode(let trackIndex, _, _, _): trackIndex
    }
  }
}

/// The picture people see before they press play.
public struct PosterPlan: Codable, Equatable, Sendable {
  /// Seconds of the output's presentation.
  public var atSeconds: Double
  /// Longest side in pixels at most; never enlarged.
  public var maximumSide: Int
  /// JPEG quality, 1 to 100.
  public var quality: Int

  public init(atSeconds: Double, maximumSide: Int = 1280, quality: Int = 85) {
    self.atSeconds = atSeconds
    self.maximumSide = maximumSide
    self.quality = quality
  }
}
