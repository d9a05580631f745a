/// A video track's facts.
public struct VideoTrack: Codable, Equatable, Sendable {
  /// libav's stream index.
  public var index: Int
  /// libav's codec name: `h264`, `hevc`.
  public var codec: String
  /// The sample entry's four characters: `avc1`, `hvc1`.
  public var codecTag: String?
  /// libav's name: `High`, `Main 10`; `nil` when unknown.
  public var profile: String?
  /// Codec level as the codec writes it: 41 for H.264 level 4.1.
  public var level: Int?
  /// libav's name: `yuv420p10le`.
  public var pixelFormat: String?
  /// Bits of a luma sample: 8 or 10; `nil` when unknown.
  public var bitDepth: Int?
  /// Stored picture in pixels, before rotation and sample aspect ratio.
  public var width: Int
  /// Stored picture in pixels, before rotation and sample aspect ratio.
  public var height: Int
  /// Width of a stored pixel by its height; `nil` when the file does not state it.
  public var sampleAspectRatio: Rational?
  /// How players turn the stored picture.
  public var orientation: Orientation
  /// Average: frames divided by duration.
  public var averageFrameRate: Rational?
  /// libav's guess of the smallest frame distance.
  public var realFrameRate: Rational?
  /// Frame distances differ by more than a tick; `nil` when the container has no index.
  public var hasVariableFrameRate: Bool?
  /// Frames in the track; `nil` when the container does not state it.
  public var frameCount: Int64?
  /// Frames that a player shows: edit list applied, hidden reference pictures and those before the first key frame left
  /// out; `nil` when unknown.
  public var shownFrameCount: Int64?
  /// Something here can decode it; `nil` when unknown.
  public var hasDecoder: Bool?
  /// Edit list applied, in seconds.
  public var durationSeconds: Double?
  /// Presentation time of the first frame, in seconds.
  public var startSeconds: Double?
  /// Of this track, on average; `nil` when the container does not state it.
  public var bitsPerSecond: Int64?
  /// How its code values become light.
  public var color: ColorDescription
  /// Its groups of pictures; `nil` when the container holds no index of all frames.
  public var gop: GOPFacts?
  /// A sequence and a picture parameter set that can be read are there before the first picture; `nil` for codecs
  /// without them, and when not examined.
  public var hasParameterSets: Bool?
  /// Samples whose time does not go on: decoded or shown at the same time as another one; `nil` when not examined.
  public var stalledSampleCount: Int?
  /// At most one leading empty edit and one media edit at normal speed; `nil` for containers without edit lists.
  public var hasSimpleEdits: Bool?
  /// Media that the edit list does not show, in seconds.
  public var hiddenSeconds: Double?
  /// The flag that says players show it first.
  public var isDefault: Bool
  /// Cover art: a picture in a file of sound.
  public var isAttachedPicture: Bool
  /// `progressive`, `tt`, `bb`…; `nil` when unknown.
  public var fieldOrder: String?
  /// `eng`; `nil` when it is undetermined.
  public var language: String?

  public init(
    index: Int, codec: String, codecTag: String? = nil, profile: String? = nil, level: Int? = nil,
    pixelFormat: String? = nil, bitDepth: Int? = nil, width: Int, height: Int, sampleAspectRatio: Rational? = nil,
    orientation: Orientation = .upright, averageFrameRate: Rational? = nil, realFrameRate: Rational? = nil,
    hasVariableFrameRate: Bool? = nil, frameCount: Int64? = nil, durationSeconds: Double? = nil,
    startSeconds: Double? = nil, bitsPerSecond: Int64? = nil, color: ColorDescription = ColorDescription(),
    gop: GOPFacts? = nil, hasSimpleEdits: Bool? = nil, hiddenSeconds: Double? = nil, isDefault: Bool = true,
    isAttachedPicture: Bool = false,
    fieldOrder: String? = nil, language: String? = nil
  ) {
    self.index = index
    self.codec = codec
    self.codecTag = codecTag
    self.profile = profile
    self.level = level
    self.pixelFormat = pixelFormat
    self.bitDepth = bitDepth
    self.width = width
    self.height = height
    self.sampleAspectRatio = sampleAspectRatio
    self.orientation = orientation
    self.averageFrameRate = averageFrameRate
    self.realFrameRate = realFrameRate
    self.hasVariableFrameRate = hasVariableFrameRate
    self.frameCount = frameCount
    self.durationSeconds = durationSeconds
    self.startSeconds = startSeconds
    self.bitsPerSecond = bitsPerSecond
    self.color = color
    self.gop = gop
    self.hasSimpleEdits = hasSimpleEdits
    self.hiddenSeconds = hiddenSeconds
    self.isDefault = isDefault
    self.isAttachedPicture = isAttachedPicture
    self.fieldOrder = fieldOrder
    self.language = language
  }
}

/// How the stored picture has to be turned to be shown: rotation clockwise after an optional horizontal mirror.
public struct Orientation: Codable, Hashable, Sendable {
  /// Clockwise turn for display: 0, 90, 180 or 270.
  public var clockwiseDegrees: Int
  /// Mirrored left to right before the turn.
  public var isMirrored: Bool

  public init(clockwiseDegrees: Int, isMirrored: Bool = false) {
    self.clockwiseDegrees = clockwiseDegrees
    self.isMirrored = isMirrored
  }

  /// Shown as it is stored.
  public static let upright = Orientation(clockwiseDegrees: 0)

  /// The shown picture's width is the stored picture's height.
  public var swapsAxes: Bool { clockwiseDegrees % 180 != 0 }

  /// All eight.
  public static let all: [Orientation] = [false, true].flatMap { mirrored in
    [0, 90, 180, 270].map { Orientation(clockwiseDegrees: $0, isMirrored: mirrored) }
  }
}

/// How code values become light: the names are libav's (`bt709`, `arib-std-b67`).
public struct ColorDescription: Codable, Equatable, Sendable {
  /// `bt709`, `bt2020`; `nil` when the file does not state it.
  public var primaries: String?
  /// `bt709`, `arib-std-b67` (HLG), `smpte2084` (PQ); `nil` when the file does not state it.
  public var transfer: String?
  /// `bt709`, `bt2020nc`; `nil` when the file does not state it.
  public var matrix: String?
  /// `tv` (limited) or `pc` (full).
  public var range: String?
  /// Where chroma samples sit: `left`, `topleft`; `nil` when the file does not state it.
  public var chromaLocation: String?
  /// What the transfer means for a player.
  public var dynamicRange = DynamicRange.sdr
  /// Profile of a Dolby Vision configuration box: 5, 8…
  public var dolbyVisionProfile: Int?
  /// What the base layer is compatible with: 1 HDR10, 2 SDR, 4 HLG.
  public var dolbyVisionCompatibility: Int?

  /// A description without any fact, of standard dynamic range.
  public init() {}
}

extension VideoTrack {
  /// Each frame holds two fields; false when unknown.
  public var isInterlaced: Bool { fieldOrder.map { $0 != "progressive" } ?? false }
}

extension AudioTrack {
  /// Apple's spatial sound (`apac`) and what libav has no name for cannot be decoded.
  public var isDecodable: Bool { codec != "none" && codecTag != "apac" && hasDecoder != false }
}

/// How bright the brightest can be.
public enum DynamicRange: String, Codable, Sendable {
  /// Standard: what every screen shows.
  case sdr
  /// High, hybrid log-gamma (ARIB STD-B67): phones of Apple, broadcast.
  case hlg
  /// High, perceptual quantizer (SMPTE ST 2084): HDR10.
  case pq
}

/// Groups of pictures as the container's index gives them: key frames are sync samples.
public struct GOPFacts: Codable, Equatable, Sendable {
  /// How many there are, one at least.
  public var keyFrameCount: Int
  /// Longest distance of two key frames, or of the last one and the end, in seconds.
  public var longestSeconds: Double
  /// Mean distance of two key frames, in seconds.
  public var averageSeconds: Double
  /// Bits per second of the group that has most, by its own length; `nil` when the index has no sizes.
  public var highestBitsPerSecond: Int64?
  /// Every key frame is an IDR picture, so that nothing behind it needs what was before; `nil` when not examined.
  public var isClosed: Bool?
  /// Key frames whose first units do not fit into them: when they are shown, the first thousand; `nil` when all fit or
  /// not examined.
  public var damagedKeyFrameSeconds: [Double]?
  /// When each key frame is shown, seconds of the presentation, as far as they are known; the first thousand.
  public var keyFrameSeconds: [Double]?

  public init(
    keyFrameCount: Int, longestSeconds: Double, averageSeconds: Double, highestBitsPerSecond: Int64? = nil,
    isClosed: Bool? = nil, keyFrameSeconds: [Double]? = nil
  ) {
    self.keyFrameCount = keyFrameCount
    self.longestSeconds = longestSeconds
    self.averageSeconds = averageSeconds
    self.highestBitsPerSecond = highestBitsPerSecond
    self.isClosed = isClosed
    self.keyFrameSeconds = keyFrameSeconds
  }
}

/// An audio track's facts.
public struct AudioTrack: Codable, Equatable, Sendable {
  /// libav's stream index.
  public var index: Int
  /// libav's codec name: `aac`, `pcm_s16le`.
  public var codec: String
  /// The sample entry's four characters: `mp4a`; `nil` for containers without them.
  public var codecTag: String?
  /// libav's name: `LC`, `HE-AAC`; `nil` when unknown.
  public var profile: String?
  /// Hertz.
  public var sampleRate: Int
  /// How many; 0 when the headers do not state it.
  public var channelCount: Int
  /// libav's name: `stereo`, `5.1`.
  public var channelLayout: String?
  /// Of this track, on average; `nil` when the container does not state it.
  public var bitsPerSecond: Int64?
  /// Edit list applied, in seconds.
  public var durationSeconds: Double?
  /// Presentation time of the first sample, in seconds; `nil` when unknown.
  public var startSeconds: Double?
  /// At most one leading empty edit and one media edit at normal speed; `nil` for containers without edit lists.
  public var hasSimpleEdits: Bool?
  /// Media that the edit list does not show, in seconds.
  public var hiddenSeconds: Double?
  /// As of the picture.
  public var stalledSampleCount: Int?
  /// Something here can decode it; `nil` when unknown.
  public var hasDecoder: Bool?
  /// The flag that says players play it first.
  public var isDefault: Bool
  /// `eng`; `nil` when it is undetermined.
  public var language: String?

  public init(
    index: Int, codec: String, codecTag: String? = nil, profile: String? = nil, sampleRate: Int, channelCount: Int,
    channelLayout: String? = nil, bitsPerSecond: Int64? = nil, durationSeconds: Double? = nil,
    startSeconds: Double? = nil, hasSimpleEdits: Bool? = nil, hiddenSeconds: Double? = nil, isDefault: Bool = true,
    language: String? = nil
  ) {
    self.index = index
    self.codec = codec
    self.codecTag = codecTag
    self.profile = profile
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelLayout = channelLayout
    self.bitsPerSecond = bitsPerSecond
    self.durationSeconds = durationSeconds
    self.startSeconds = startSeconds
    self.hasSimpleEdits = hasSimpleEdits
    self.hiddenSeconds = hiddenSeconds
    self.isDefault = isDefault
    self.language = language
  }
}

/// A track that is neither picture nor sound.
public struct DataTrack: Codable, Equatable, Sendable {
  /// libav's stream index.
  public var index: Int
  /// `data`, `subtitle`, `attachment` or `unknown`: libav's media type.
  public var type: String
  /// The sample entry's four characters: `gpmd`, `mebx`, `tmcd`.
  public var codecTag: String?
  /// libav's name: `mov_text`; `nil` when it has none.
  public var codec: String?
  /// What the writer calls the track: `GoPro MET`; `nil` without a name.
  public var handlerName: String?
  /// In seconds; `nil` when the file does not state it.
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
