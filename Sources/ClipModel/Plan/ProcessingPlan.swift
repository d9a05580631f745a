/// How to process a clip, and why. Plans are pure data: `ClipRules.plan` creates them and `ClipProcessor.process`
/// executes them.
public struct ProcessingPlan: Codable, Equatable, Sendable {
  /// The part of the source to keep, as a half-open range in seconds of presentation time; `nil` for the entire source.
  public var trim: Range<Double>?
  /// How to process the video.
  public var video: VideoTreatment
  /// How to process the audio; `nil` if the output has no audio.
  public var audio: AudioTreatment?
  /// The tracks and metadata to remove, each with a reason.
  public var dropped: [Decision] = []
  /// The pictures to render from the output.
  public var pictures: [PicturePlan] = []
  /// Descriptions of the decisions, in the order in which they were made.
  public var decisions: [Decision] = []
  /// Whether a share uploads the clip while it's encoded; `nil` in plans without an upload.
  public var upload: Decision?
  /// The output duration in seconds.
  public var durationSeconds: Double
  /// The estimated output size in bytes; `nil` if unknown.
  public var estimatedByteCount: Int64?
  /// Whether to end the output at the first damaged sample instead of rejecting a damaged source.
  public var salvages: Bool?
  /// The time, in seconds, from the key frame where a copied cut begins to the start of the cut. This part is copied,
  /// and the edit list hides it.
  public var leadSeconds: Double?
  /// Whether the output's index is at the end of the file, so that its beginning can be sent while the clip is encoded.
  public var placesIndexAtEnd: Bool?

  /// The longest interval between key frames of a clip that is sent while it's encoded, in seconds. Finished groups of
  /// pictures can be sent.
  static let streamedKeyFrameSeconds = 2.0

  /// The plan for a clip that is sent while it's encoded; `nil` if the plan encodes nothing, or if another encoder might
  /// continue an interrupted encode.
  package var streamed: ProcessingPlan? {
    guard case .transcode(let trackIndex, let steps, var encoding) = video, !encoding.usesHardware else { return nil }
    encoding.keyFrameIntervalSeconds = min(encoding.keyFrameIntervalSeconds, Self.streamedKeyFrameSeconds)
    var plan = self
    plan.video = .transcode(trackIndex: trackIndex, steps: steps, encoding: encoding)
    plan.placesIndexAtEnd = true
    return plan
  }

  /// What the output lacks, in the order of `dropped`; `nil` in plans that were stored without it.
  package var removedData: [RemovedData]? {
    dropped.contains { $0.removes == nil } ? nil : dropped.flatMap { $0.removes ?? [] }
  }

  /// Whether finished GOPs are stored while the clip is encoded, so that an interrupted encode can continue.
  ///
  /// Encoding a clip of less than 20 s again takes only seconds. Hardware encoders may have different settings in the next
  /// run.
  package var storesGOPs: Bool {
    guard let encoding = video.encoding else { return false }
    return !encoding.usesHardware && durationSeconds >= 20
  }

  /// A decision and its reason, as text.
  public struct Decision: Codable, Equatable, Sendable {
    /// The decision: `video: transcode to H.264 1920x1080`.
    public var what: String
    /// The reason: `not all players support HEVC`.
    public var why: String
    /// The kinds of data that the decision removes; `nil` if it removes none.
    public var removes: [RemovedData]?

    /// - Parameters:
    ///   - what: the decision.
    ///   - why: the reason.
    ///   - removed: the kinds of data that the decision removes, or `nil` if it removes none.
    public init(_ what: String, because why: String, removing removed: [RemovedData]? = nil) {
      self.what = what
      self.why = why
      removes = removed
    }
  }
}

/// How to process the video track.
public enum VideoTreatment: Codable, Equatable, Sendable {
  /// Copies the video packets and preserves the orientation.
  case copy(trackIndex: Int)
  /// Decodes the frames, applies the steps in order, and encodes the result.
  case transcode(trackIndex: Int, steps: [PictureStep], encoding: VideoEncoding)

  /// The libav stream index of the source track.
  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .transcode(let trackIndex, _, _): trackIndex
    }
  }

  /// The encoder settings; `nil` for a copy.
  public var encoding: VideoEncoding? {
    if case .transcode(_, _, let encoding) = self { encoding } else { nil }
  }
}

/// A processing step that is applied to each decoded frame.
public enum PictureStep: Codable, Equatable, Sendable {
  /// Scales to a stored size in pixels and converts to 8-bit 4:2:0 BT.709 (limited range) in a single pass.
  case scale(width: Int, height: Int)
  /// Tone maps HDR to SDR: converts the source's transfer function to BT.709.
  case toneMap(from: DynamicRange)
  /// Turns each field into a full frame, which preserves smooth motion.
  case deinterlace
}

/// The video encoder settings. Like camera files, the output stores the source's orientation as a display matrix.
public struct VideoEncoding: Codable, Equatable, Sendable {
  /// The output codec and profile.
  public var codec = Codec.h264
  /// The quality on the CRF scale of x264's `veryfast` preset. A lower value means higher quality and a larger file.
  /// The encoder's actual rate factor depends on this value and on the content (`EncoderRecipe`).
  public var constantRateFactor = 21.0
  /// How much CPU time the encoder may take.
  public var effort = EncodingEffort.fast
  /// The maximum bit rate for rate control, in bits per second.
  public var maximumBitsPerSecond: Int64 = 7_600_000
  /// The buffer size for rate control, in bits.
  public var bufferBits: Int64 = 15_200_000
  /// The maximum interval between key frames, in seconds.
  public var keyFrameIntervalSeconds = 10.0
  /// The divisor N for keeping every Nth frame; 1 keeps all frames and their timestamps.
  public var frameRateDivisor = 1
  /// The maximum output size; `nil` for a cut.
  public var sizeCap: SizeCap?
  /// Whether to try a hardware encoder first.
  public var usesHardware = false

  /// The lowest bit rate that is computed from a size limit, in bits per second. Only an output that exceeds the limit
  /// leads to a lower one.
  static let minimumBitsPerSecond: Int64 = 50_000

  /// Whether a clip that exceeds `sizeCap` is encoded again. Otherwise, the larger clip is kept.
  package var isRepeatedAboveSizeCap: Bool {
    guard let sizeCap else { return false }
    return sizeCap.isPromise
      || maximumBitsPerSecond > sizeCap.bitsPerSecond && sizeCap.bitsPerSecond >= sizeCap.floorBitsPerSecond
  }

  /// The codec and profile of the output.
  public enum Codec: String, Codable, Sendable {
    /// H.264 High profile, 8-bit BT.709 SDR.
    case h264
    /// HEVC Main profile, 8-bit BT.709 SDR.
    case hevc
    /// HEVC Main 10 profile with the source's HDR format.
    case hevcHDR
  }

  /// The maximum output size, and the bit rate for a second attempt if the first output exceeds it.
  public struct SizeCap: Codable, Equatable, Sendable {
    /// The maximum file size in bytes.
    public var byteCount: Int64
    /// The video bit rate at which the file fits the maximum size.
    public var bitsPerSecond: Int64
    /// The bit rate below which video looks bad. If a smaller file would need a lower bit rate, the larger file is kept
    /// unless the user requested the size.
    public var floorBitsPerSecond: Int64
    /// Whether the user requested the size. Otherwise, the limit is the source size.
    public var isPromise = false
  }
}

/// How to process the audio track.
public enum AudioTreatment: Codable, Equatable, Sendable {
  /// Copies the audio packets.
  case copy(trackIndex: Int)
  /// Encodes AAC-LC with the given number of channels (1, 2 or 6), sample rate in hertz, and bit rate.
  case encode(trackIndex: Int, channelCount: Int, sampleRate: Int, bitsPerSecond: Int64)

  /// The libav stream index of the source track.
  public var trackIndex: Int {
    switch self {
    case .copy(let trackIndex), .encode(let trackIndex, _, _, _): trackIndex
    }
  }
}
