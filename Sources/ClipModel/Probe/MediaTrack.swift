/// The properties of a video track.
public struct VideoTrack: Codable, Equatable, Sendable {
  /// The libav stream index.
  public var index: Int
  /// The codec name in libav: `h264`, `hevc`.
  public var codec: String
  /// The four-character code of the sample entry: `avc1`, `hvc1`.
  public var codecTag: String?
  /// The profile name in libav: `High`, `Main 10`; `nil` if unknown.
  public var profile: String?
  /// The level as encoded by the codec: 41 for H.264 level 4.1.
  public var level: Int?
  /// The pixel format name in libav: `yuv420p10le`; `nil` if unknown.
  public var pixelFormat: String?
  /// The number of bits per luma sample, such as 8 or 10; `nil` if unknown.
  public var bitDepth: Int?
  /// The stored width in pixels, before applying rotation and the sample aspect ratio.
  public var width: Int
  /// The stored height in pixels, before applying rotation and the sample aspect ratio.
  public var height: Int
  /// The pixel aspect ratio (width divided by height); `nil` if the file doesn't specify it.
  public var sampleAspectRatio: Rational?
  /// How players rotate and flip the stored frames.
  public var orientation = Orientation.upright
  /// The frame count divided by the duration.
  public var averageFrameRate: Rational?
  /// The frame rate that corresponds to the minimum interval between two frames, as estimated by libav.
  public var realFrameRate: Rational?
  /// Whether frame intervals differ by more than one tick; `nil` if the container has no index.
  public var hasVariableFrameRate: Bool?
  /// The number of frames; `nil` if the container doesn't specify it.
  public var frameCount: Int64?
  /// The number of frames that players show after applying the edit list, not counting hidden reference frames and
  /// frames before the first key frame; `nil` if unknown.
  public var shownFrameCount: Int64?
  /// Whether a decoder is available; `nil` if unknown.
  public var hasDecoder: Bool?
  /// The duration in seconds, after applying the edit list.
  public var durationSeconds: Double?
  /// The presentation time of the first frame, in seconds.
  public var startSeconds: Double?
  /// The average bit rate; `nil` if the container doesn't specify it.
  public var bitsPerSecond: Int64?
  /// The color primaries, transfer function, matrix and range.
  public var color = ColorDescription()
  /// The properties of the groups of pictures; `nil` if the container has no index of all frames.
  public var gop: GOPProperties?
  /// Whether valid sequence and picture parameter sets precede the first frame; `nil` if the codec has no parameter
  /// sets or they were not checked.
  public var hasParameterSets: Bool?
  /// The number of samples whose decoding or presentation time equals that of another sample; `nil` if the timestamps
  /// were not checked.
  public var stalledSampleCount: Int?
  /// Whether the edit list has at most one leading empty edit and one media edit at normal speed; `nil` for containers
  /// without edit lists.
  public var hasSimpleEdits: Bool?
  /// The duration of the media that the edit list hides, in seconds.
  public var hiddenSeconds: Double?
  /// Whether the file marks this track as the default track.
  public var isDefault = true
  /// Whether the track is cover art, such as an image in an audio file.
  public var isAttachedPicture = false
  /// The field order: `progressive`, `tt`, `bb`…; `nil` if unknown.
  public var fieldOrder: String?
  /// The language code, such as `eng`; `nil` if undetermined.
  public var language: String?

  public init(index: Int, codec: String, width: Int, height: Int) {
    self.index = index
    self.codec = codec
    self.width = width
    self.height = height
  }

  /// Whether each frame consists of two fields. False if unknown.
  public var isInterlaced: Bool { fieldOrder.map { $0 != "progressive" } ?? false }
}

/// How stored frames are displayed: an optional horizontal flip, followed by a clockwise rotation.
public struct Orientation: Codable, Hashable, Sendable {
  /// The clockwise rotation in degrees: 0, 90, 180 or 270.
  public var clockwiseDegrees: Int
  /// Whether frames are flipped horizontally before the rotation.
  public var isMirrored: Bool

  public init(clockwiseDegrees: Int, isMirrored: Bool = false) {
    self.clockwiseDegrees = clockwiseDegrees
    self.isMirrored = isMirrored
  }

  /// The orientation of frames that are displayed as stored.
  public static let upright = Orientation(clockwiseDegrees: 0)

  /// Whether the rotation swaps the width and the height.
  public var swapsAxes: Bool { clockwiseDegrees % 180 != 0 }

  /// All eight possible orientations.
  public static let all: [Orientation] = [false, true].flatMap { mirrored in
    [0, 90, 180, 270].map { Orientation(clockwiseDegrees: $0, isMirrored: mirrored) }
  }
}

/// How color values map to light. The names are libav's (`bt709`, `arib-std-b67`).
public struct ColorDescription: Codable, Equatable, Sendable {
  /// The color primaries: `bt709`, `bt2020`; `nil` if the file doesn't specify them.
  public var primaries: String?
  /// The transfer function: `bt709`, `arib-std-b67` (HLG), `smpte2084` (PQ); `nil` if the file doesn't specify it.
  public var transfer: String?
  /// The color matrix: `bt709`, `bt2020nc`; `nil` if the file doesn't specify it.
  public var matrix: String?
  /// The color range: `tv` (limited) or `pc` (full).
  public var range: String?
  /// The chroma sample location: `left`, `topleft`; `nil` if the file doesn't specify it.
  public var chromaLocation: String?
  /// The dynamic range, derived from the transfer function.
  public var dynamicRange = DynamicRange.sdr
  /// The Dolby Vision profile, such as 5 or 8; `nil` if the video isn't Dolby Vision.
  public var dolbyVisionProfile: Int?
  /// The format that the base layer is compatible with: 1 for HDR10, 2 for SDR, 4 for HLG.
  public var dolbyVisionCompatibility: Int?

  /// Creates an SDR description without any values.
  public init() {}
}

/// The dynamic range of a video.
public enum DynamicRange: String, Codable, Sendable {
  /// Standard dynamic range, which all displays support.
  case sdr
  /// Hybrid log-gamma (ARIB STD-B67), used by iPhones and broadcasters.
  case hlg
  /// Perceptual quantizer (SMPTE ST 2084), used by HDR10.
  case pq
}

/// The properties of the groups of pictures, read from the container's index. Key frames are sync samples.
public struct GOPProperties: Codable, Equatable, Sendable {
  /// The number of key frames, at least 1.
  public var keyFrameCount: Int
  /// The longest interval between two key frames, or between the last key frame and the end, in seconds.
  public var longestSeconds: Double
  /// The average interval between two key frames, in seconds.
  public var averageSeconds: Double
  /// The highest bit rate of any group of pictures; `nil` if the index contains no sample sizes.
  public var highestBitsPerSecond: Int64?
  /// Whether every key frame is an IDR frame, so later frames never depend on earlier ones; `nil` if the key frames
  /// were not checked.
  public var isClosed: Bool?
  /// The presentation times of up to 1000 key frames whose NAL units extend past the end of their sample; `nil` if
  /// there are none or the key frames were not checked.
  public var damagedKeyFrameSeconds: [Double]?
  /// The presentation times of up to 1000 key frames in seconds, where known.
  public var keyFrameSeconds: [Double]?

  public init(keyFrameCount: Int, longestSeconds: Double, averageSeconds: Double) {
    self.keyFrameCount = keyFrameCount
    self.longestSeconds = longestSeconds
    self.averageSeconds = averageSeconds
  }
}

/// The properties of an audio track.
public struct AudioTrack: Codable, Equatable, Sendable {
  /// The libav stream index.
  public var index: Int
  /// The codec name in libav: `aac`, `pcm_s16le`.
  public var codec: String
  /// The four-character code of the sample entry: `mp4a`; `nil` for containers without sample entries.
  public var codecTag: String?
  /// The profile name in libav: `LC`, `HE-AAC`; `nil` if unknown.
  public var profile: String?
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The number of channels; 0 if the headers don't specify it.
  public var channelCount: Int
  /// The channel layout name in libav: `stereo`, `5.1`.
  public var channelLayout: String?
  /// The average bit rate; `nil` if the container doesn't specify it.
  public var bitsPerSecond: Int64?
  /// The duration in seconds, after applying the edit list.
  public var durationSeconds: Double?
  /// The presentation time of the first sample, in seconds; `nil` if unknown.
  public var startSeconds: Double?
  /// Whether the edit list has at most one leading empty edit and one media edit at normal speed; `nil` for containers
  /// without edit lists.
  public var hasSimpleEdits: Bool?
  /// The duration of the media that the edit list hides, in seconds.
  public var hiddenSeconds: Double?
  /// The number of samples whose decoding time equals that of another sample; `nil` if the timestamps were not checked.
  public var stalledSampleCount: Int?
  /// Whether a decoder is available; `nil` if unknown.
  public var hasDecoder: Bool?
  /// Whether the file marks this track as the default track.
  public var isDefault = true
  /// The language code, such as `eng`; `nil` if undetermined.
  public var language: String?

  public init(index: Int, codec: String, codecTag: String? = nil, sampleRate: Int, channelCount: Int) {
    self.index = index
    self.codec = codec
    self.codecTag = codecTag
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Whether the track can be decoded. Apple's spatial audio (`apac`) and codecs that libav doesn't recognize cannot be
  /// decoded.
  public var isDecodable: Bool { codec != "none" && codecTag != "apac" && hasDecoder != false }
}

/// A track that is neither video nor audio.
public struct DataTrack: Codable, Equatable, Sendable {
  /// The libav stream index.
  public var index: Int
  /// The media type in libav: `data`, `subtitle`, `attachment` or `unknown`.
  public var type: String
  /// The four-character code of the sample entry: `gpmd`, `mebx`, `tmcd`.
  public var codecTag: String?
  /// The codec name in libav: `mov_text`; `nil` if the track has no codec.
  public var codec: String?
  /// The track name that the recording device wrote: `GoPro MET`; `nil` if there is none.
  public var handlerName: String?
  /// The duration in seconds; `nil` if the file doesn't specify it.
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
