/// The properties of a video track.
public struct VideoTrack: Codable, Equatable, Sendable {
  /// The stream index in libav.
  public var index: Int
  /// The codec name in libav: `h264`, `hevc`.
  public var codec: String
  /// The four-character code of the sample entry: `avc1`, `hvc1`.
  public var codecTag: String?
  /// The profile name in libav: `High`, `Main 10`; `nil` if unknown.
  public var profile: String?
  /// The level as the codec encodes it: 41 for level 4.1 of H.264.
  public var level: Int?
  /// The pixel format name in libav: `yuv420p10le`.
  public var pixelFormat: String?
  /// The number of bits per luma sample: 8 or 10; `nil` if unknown.
  public var bitDepth: Int?
  /// The stored width in pixels, before rotation and sample aspect ratio.
  public var width: Int
  /// The stored height in pixels, before rotation and sample aspect ratio.
  public var height: Int
  /// The width of a stored pixel divided by its height; `nil` if the file does not state it.
  public var sampleAspectRatio: Rational?
  /// How players rotate and mirror the stored frames.
  public var orientation = Orientation.upright
  /// The number of frames divided by the duration.
  public var averageFrameRate: Rational?
  /// The frame rate for the shortest time between two frames, estimated by libav.
  public var realFrameRate: Rational?
  /// Whether the times between frames differ by more than one tick; `nil` if the container has no index.
  public var hasVariableFrameRate: Bool?
  /// The number of frames; `nil` if the container does not state it.
  public var frameCount: Int64?
  /// The number of frames that players show: edit list applied, without hidden reference frames and frames before the
  /// first key frame; `nil` if unknown.
  public var shownFrameCount: Int64?
  /// Whether a decoder is available; `nil` if unknown.
  public var hasDecoder: Bool?
  /// The duration in seconds, with the edit list applied.
  public var durationSeconds: Double?
  /// The presentation time of the first frame, in seconds.
  public var startSeconds: Double?
  /// The average bit rate; `nil` if the container does not state it.
  public var bitsPerSecond: Int64?
  /// The color space.
  public var color = ColorDescription()
  /// The groups of pictures; `nil` if the container has no index of all frames.
  public var gop: GOPFacts?
  /// Whether readable sequence and picture parameter sets precede the first frame; `nil` for codecs without parameter
  /// sets, and if they were not examined.
  public var hasParameterSets: Bool?
  /// The number of samples that have the same decoding or presentation time as another sample; `nil` if they were not
  /// examined.
  public var stalledSampleCount: Int?
  /// Whether the edit list has at most one leading empty edit and one media edit at normal speed; `nil` for containers
  /// without edit lists.
  public var hasSimpleEdits: Bool?
  /// The duration of the media that the edit list hides, in seconds.
  public var hiddenSeconds: Double?
  /// Whether the file marks the track as the default track.
  public var isDefault = true
  /// Whether the track is cover art: an image in an audio file.
  public var isAttachedPicture = false
  /// `progressive`, `tt`, `bb`…; `nil` if unknown.
  public var fieldOrder: String?
  /// `eng`; `nil` if undetermined.
  public var language: String?

  public init(index: Int, codec: String, width: Int, height: Int) {
    self.index = index
    self.codec = codec
    self.width = width
    self.height = height
  }

  /// Whether every frame consists of two fields. False if unknown.
  public var isInterlaced: Bool { fieldOrder.map { $0 != "progressive" } ?? false }
}

/// How stored frames are displayed: an optional horizontal flip, then a clockwise rotation.
public struct Orientation: Codable, Hashable, Sendable {
  /// The clockwise rotation in degrees: 0, 90, 180 or 270.
  public var clockwiseDegrees: Int
  /// Whether frames are flipped from left to right before the rotation.
  public var isMirrored: Bool

  public init(clockwiseDegrees: Int, isMirrored: Bool = false) {
    self.clockwiseDegrees = clockwiseDegrees
    self.isMirrored = isMirrored
  }

  /// Displayed as stored.
  public static let upright = Orientation(clockwiseDegrees: 0)

  /// Whether the rotation swaps width and height.
  public var swapsAxes: Bool { clockwiseDegrees % 180 != 0 }

  /// All eight orientations.
  public static let all: [Orientation] = [false, true].flatMap { mirrored in
    [0, 90, 180, 270].map { Orientation(clockwiseDegrees: $0, isMirrored: mirrored) }
  }
}

/// How code values are converted to light. The names are those of libav (`bt709`, `arib-std-b67`).
public struct ColorDescription: Codable, Equatable, Sendable {
  /// `bt709`, `bt2020`; `nil` if the file does not state it.
  public var primaries: String?
  /// `bt709`, `arib-std-b67` (HLG), `smpte2084` (PQ); `nil` if the file does not state it.
  public var transfer: String?
  /// `bt709`, `bt2020nc`; `nil` if the file does not state it.
  public var matrix: String?
  /// `tv` (limited) or `pc` (full).
  public var range: String?
  /// The position of chroma samples: `left`, `topleft`; `nil` if the file does not state it.
  public var chromaLocation: String?
  /// The dynamic range, derived from the transfer function.
  public var dynamicRange = DynamicRange.sdr
  /// The profile in the Dolby Vision configuration: 5, 8…
  public var dolbyVisionProfile: Int?
  /// The format that the base layer is compatible with: 1 HDR10, 2 SDR, 4 HLG.
  public var dolbyVisionCompatibility: Int?

  /// An SDR description without any values.
  public init() {}
}

/// The dynamic range of a video.
public enum DynamicRange: String, Codable, Sendable {
  /// Standard dynamic range, which every screen supports.
  case sdr
  /// Hybrid log-gamma (ARIB STD-B67): iPhones, broadcast.
  case hlg
  /// Perceptual quantizer (SMPTE ST 2084): HDR10.
  case pq
}

/// Properties of the groups of pictures, from the container's index. Key frames are sync samples.
public struct GOPFacts: Codable, Equatable, Sendable {
  /// The number of key frames, at least 1.
  public var keyFrameCount: Int
  /// The longest time between two key frames, or between the last one and the end, in seconds.
  public var longestSeconds: Double
  /// The mean time between two key frames, in seconds.
  public var averageSeconds: Double
  /// The highest bit rate of a group of pictures; `nil` if the index has no sizes.
  public var highestBitsPerSecond: Int64?
  /// Whether every key frame is an IDR frame, so later frames do not depend on earlier ones; `nil` if it was not
  /// examined.
  public var isClosed: Bool?
  /// The presentation times of key frames with NAL units that extend past their sample, at most 1000; `nil` if there
  /// are none, or if they were not examined.
  public var damagedKeyFrameSeconds: [Double]?
  /// The presentation times of the key frames in seconds, as far as known, at most 1000.
  public var keyFrameSeconds: [Double]?

  public init(keyFrameCount: Int, longestSeconds: Double, averageSeconds: Double) {
    self.keyFrameCount = keyFrameCount
    self.longestSeconds = longestSeconds
    self.averageSeconds = averageSeconds
  }
}

/// The properties of an audio track.
public struct AudioTrack: Codable, Equatable, Sendable {
  /// The stream index in libav.
  public var index: Int
  /// The codec name in libav: `aac`, `pcm_s16le`.
  public var codec: String
  /// The four-character code of the sample entry: `mp4a`; `nil` for containers without sample entries.
  public var codecTag: String?
  /// The profile name in libav: `LC`, `HE-AAC`; `nil` if unknown.
  public var profile: String?
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The number of channels; 0 if the headers do not state it.
  public var channelCount: Int
  /// The name of the channel layout in libav: `stereo`, `5.1`.
  public var channelLayout: String?
  /// The average bit rate; `nil` if the container does not state it.
  public var bitsPerSecond: Int64?
  /// The duration in seconds, with the edit list applied.
  public var durationSeconds: Double?
  /// The presentation time of the first sample in seconds; `nil` if unknown.
  public var startSeconds: Double?
  /// Whether the edit list has at most one leading empty edit and one media edit at normal speed; `nil` for containers
  /// without edit lists.
  public var hasSimpleEdits: Bool?
  /// The duration of the media that the edit list hides, in seconds.
  public var hiddenSeconds: Double?
  /// The number of samples that have the same decoding time as another sample; `nil` if they were not examined.
  public var stalledSampleCount: Int?
  /// Whether a decoder is available; `nil` if unknown.
  public var hasDecoder: Bool?
  /// Whether the file marks the track as the default track.
  public var isDefault = true
  /// `eng`; `nil` if undetermined.
  public var language: String?

  public init(index: Int, codec: String, codecTag: String? = nil, sampleRate: Int, channelCount: Int) {
    self.index = index
    self.codec = codec
    self.codecTag = codecTag
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Whether the track can be decoded. Apple's spatial audio (`apac`) and codecs unknown to libav cannot.
  public var isDecodable: Bool { codec != "none" && codecTag != "apac" && hasDecoder != false }
}

/// A track that is neither video nor audio.
public struct DataTrack: Codable, Equatable, Sendable {
  /// The stream index in libav.
  public var index: Int
  /// The media type in libav: `data`, `subtitle`, `attachment` or `unknown`.
  public var type: String
  /// The four-character code of the sample entry: `gpmd`, `mebx`, `tmcd`.
  public var codecTag: String?
  /// The codec name in libav: `mov_text`; `nil` if there is none.
  public var codec: String?
  /// The name that the writer gave the track: `GoPro MET`; `nil` if there is none.
  public var handlerName: String?
  /// The duration in seconds; `nil` if the file does not state it.
  public var durationSeconds: Double?

  public init(
    index: Int, type: String, codecTag: String? = nil, codec: String? = nil, handlerName: String? = nil,
    durationSeconds: Double? = nil
  ) {
    self.index = index
    self.type = type
    self.codecTag = codecTag
    self.codec = codec
    self.handlerName = handlerName
    self.durationSeconds = durationSeconds
  }
}
