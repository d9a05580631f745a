/// How a clip is processed, and why. It is pure data: `ClipRules.plan` creates it and `ClipProcessor.process` executes
/// it.
public struct ProcessingPlan: Codable, Equatable, Sendable {
  /// The half-open part of the source to keep, in seconds from the start of its presentation; `nil` for all of it.
  public var trim: Range<Double>?
  /// How the video is processed.
  public var video: VideoTreatment
  /// How the audio is processed; `nil` if the output has no audio.
  public var audio: AudioTreatment?
  /// The tracks and metadata that are removed, each with a reason.
  public var dropped: [Decision] = []
  /// The pictures that are rendered from the output.
  public var pictures: [PicturePlan] = []
  /// The decisions as text, in the order in which they were made.
  public var decisions: [Decision] = []
  /// The length of the output in seconds.
  public var durationSeconds: Double
  /// The estimated size of the output; `nil` if unknown.
  public var estimatedByteCount: Int64?
  /// Whether the output ends at the first damage. Otherwise, a damaged source is rejected.
  public var salvages: Bool?
  /// The time from the key frame of a copied cut to its start, in seconds. This part is copied and hidden by the edit
  /// list.
  public var leadSeconds: Double?

  /// One decision and its reason, as text.
  public struct Decision: Codable, Equatable, Sendable {
    /// `video: transcode to H.264 1920x1080`.
    public var what: String
    /// `HEVC is not supported by all players`.
    public var why: String

    public init(_ what: String, because why: String) {
      self.what = what
      self.why = why
    }
  }
}

/// How the video is processed.
public enum VideoTreatment: Codable, Equatable, Sendable {
  /// Copies the packets and keeps the orientation.
  case copy(trackIndex: Int)
  /// Decodes the frames, applies the steps in order, and encodes the result.
  case transcode(trackIndex: Int, steps: [PictureStep], encoding: VideoEncoding)

  /// The stream index of the source's track in libav.
  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .transcode(let trackIndex, _, _): trackIndex
    }
  }

  /// `nil` for a copy.
  public var encoding: VideoEncoding? {
    if case .transcode(_, _, let encoding) = self { encoding } else { nil }
  }
}

/// A processing step applied to every decoded frame.
public enum PictureStep: Codable, Equatable, Sendable {
  /// Scales to a stored size in pixels and converts to 8-bit 4:2:0 BT.709 with limited range, in one pass.
  case scale(width: Int, height: Int)
  /// Tone maps HDR to SDR: from the source's transfer function to BT.709.
  case toneMap(from: DynamicRange)
  /// Turns every field into a full frame, which keeps the smooth motion.
  case deinterlace
}

/// The settings of the video encoder. The output keeps the source's orientation as a display matrix, as cameras write
/// it.
public struct VideoEncoding: Codable, Equatable, Sendable {
  /// The codec and profile.
  public var codec = Codec.h264
  /// The quality on the CRF scale of x264's `veryfast` preset: a lower value means higher quality and a larger file.
  /// The encoder's actual factor depends on it and on the content (`EncoderRecipe`).
  public var constantRateFactor = 21.0
  /// The maximum rate of the rate control, in bits per second.
  public var maximumBitsPerSecond: Int64 = 7_600_000
  /// The buffer of the rate control, in bits.
  public var bufferBits: Int64 = 15_200_000
  /// The maximum time between two key frames, in seconds.
  public var keyFrameIntervalSeconds = 10.0
  /// One in this many frames is kept; 1 keeps all frames with their timestamps.
  public var frameRateDivisor = 1
  /// The maximum size of the output; `nil` for a cut.
  public var sizeCap: SizeCap?
  /// Whether a hardware encoder is tried first.
  public var usesHardware = false

  /// The output codec.
  public enum Codec: String, Codable, Sendable {
    /// High profile, 8 bits, BT.709 SDR.
    case h264
    /// Main profile, 8 bits, BT.709 SDR.
    case hevc
    /// Main 10 profile with the source's HDR.
    case hevcHDR
  }

  /// The maximum size of the output, and the bit rate for a second attempt if the first result is larger.
  public struct SizeCap: Codable, Equatable, Sendable {
    /// The size of the whole file.
    public var byteCount: Int64
    /// The video bit rate at which the file fits.
    public var bitsPerSecond: Int64
    /// The bit rate below which the video looks bad. In that case, the larger file is kept unless the user requested
    /// the size.
    public var floorBitsPerSecond: Int64
    /// Whether the user requested the size. If not, the limit is the size of the source.
    public var isPromise = false
  }
}

/// How the audio is processed.
public enum AudioTreatment: Codable, Equatable, Sendable {
  /// Copies the packets.
  case copy(trackIndex: Int)
  /// Encodes AAC-LC with this many channels (1, 2 or 6), this sample rate in hertz, and this bit rate.
  case encode(trackIndex: Int, channelCount: Int, sampleRate: Int, bitsPerSecond: Int64)

  /// The stream index of the source's track in libav.
  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .encode(let trackIndex, _, _, _): trackIndex
    }
  }
}
