/// Mux's requirements for "standard input" as of a certain date. Mux also accepts other files, but has to transcode
/// them first. As in Mux's own clients, limits are inclusive.
public struct MuxStandard: Sendable, Equatable {
  /// The name of the standard, such as `mux-2025-10`.
  public var name: String
  /// The accepted codecs, by libav name: `h264`, `hevc`.
  public var codecs: Set<String>
  /// The maximum length of the longer side, in pixels.
  public var longestSide: Int
  /// The accepted average frame rates, in frames per second.
  public var frameRates: ClosedRange<Double>
  /// The maximum average video bit rate.
  public var averageBitsPerSecond: Int64
  /// The maximum bit rate of any group of pictures; `Int64.max` for no limit.
  public var gopBitsPerSecond: Int64
  /// The maximum interval between key frames in seconds, by codec.
  public var keyFrameSeconds: [String: Double]
  /// The accepted pixel formats for each codec, by libav name: `yuv420p`.
  public var pixelFormats: [String: Set<String>]
  /// The accepted profiles for each codec, by libav name: `High`.
  public var profiles: [String: Set<String>]
  /// Whether Mux accepts HLG and PQ in 10-bit HEVC.
  public var acceptsHDR: Bool

  /// The maximum duration in seconds: 12 hours.
  public static let longestSeconds = 43_200.0
  static let audioChannelCounts: Set<Int> = [1, 2, 6]

  private static let h264 = (
    formats: Set(["yuv420p", "yuvj420p"]),
    profiles: Set(["Constrained Baseline", "Baseline", "Main", "Extended", "High"])
  )

  /// The limits for 1080p since October 15, 2025, when Mux added HEVC.
  public static let october2025 = MuxStandard(
    name: "mux-2025-10", codecs: ["h264", "hevc"], longestSide: 2048, frameRates: 5...120,
    averageBitsPerSecond: 8_000_000, gopBitsPerSecond: 16_000_000, keyFrameSeconds: ["h264": 20, "hevc": 10],
    pixelFormats: ["h264": h264.formats, "hevc": ["yuv420p", "yuvj420p", "yuv420p10le"]],
    profiles: ["h264": h264.profiles, "hevc": ["Main", "Main 10"]], acceptsHDR: true)

  /// The limits for 2K and 4K since October 15, 2025. Smaller videos must still meet the 1080p limits.
  public static let october2025Large = MuxStandard(
    name: "mux-2025-10-4k", codecs: ["h264", "hevc"], longestSide: 4096, frameRates: 5...60,
    averageBitsPerSecond: 20_000_000, gopBitsPerSecond: .max, keyFrameSeconds: ["h264": 10, "hevc": 6],
    pixelFormats: october2025.pixelFormats, profiles: october2025.profiles, acceptsHDR: true)

  /// The limits before October 2025, which allowed only H.264.
  public static let june2024 = MuxStandard(
    name: "mux-2024-06", codecs: ["h264"], longestSide: 2048, frameRates: 5...120, averageBitsPerSecond: 8_000_000,
    gopBitsPerSecond: 16_000_000, keyFrameSeconds: ["h264": 20], pixelFormats: ["h264": h264.formats],
    profiles: ["h264": h264.profiles], acceptsHDR: false)

  /// The standard that bsc's output conforms to.
  public static let today = october2025

  /// All known standards, most recent first.
  public static let all = [october2025, october2025Large, june2024]

  /// The standard that applies to a clip. Regardless of the tier, Mux checks small videos against the 1080p limits.
  public func effectiveStandard(for probe: ClipProbe) -> MuxStandard {
    let isSmall = (probe.mainVideo?.shownSize.longSide ?? 0) <= MuxStandard.october2025.longestSide
    return isSmall && self == .october2025Large ? .october2025 : self
  }

  /// Checks whether a clip meets each requirement.
  public func evaluate(_ probe: ClipProbe) -> [MuxCheck] {
    guard let video = probe.mainVideo else { return MuxRequirement.allCases.map { makeCheck($0, nil, "") } }
    return videoChecks(video) + rateChecks(video) + [
      makeCheck(
        .duration, probe.shownSeconds.map { $0 <= Self.longestSeconds }, "the clip is longer than 12 hours"),
      makeCheck(.editList, video.hasSimpleEdits, "the video's edit list does more than trim", value: "non-standard"),
    ] + audioChecks(probe)
  }

  private func videoChecks(_ video: VideoTrack) -> [MuxCheck] {
    let format = video.pixelFormat
    let isHDR = video.color.dynamicRange != .sdr
    let stored = video.storedSize
    return [
      makeCheck(.videoCodec, codecs.contains(video.codec), "the video codec is \(video.codec)", value: video.codec),
      makeCheck(
        .resolution, stored.longSide <= longestSide,
        "the longest side is \(stored.longSide) pixels; the limit is \(longestSide)", value: "\(stored)"),
      makeCheck(
        .pixelFormat, format.flatMap { pixelFormats[video.codec]?.contains($0) },
        "the pixel format is \(format ?? "unknown")", value: format),
      makeCheck(
        .profile, video.profile.flatMap { profiles[video.codec]?.contains($0) },
        "the profile is \(video.profile ?? "unknown")", value: "non-standard"),
      makeCheck(
        .dynamicRange, !isHDR || (acceptsHDR && video.codec == "hevc" && video.bitDepth == 10),
        "the video is \(video.color.dynamicRange.rawValue.uppercased())"
          + (acceptsHDR ? ", but not 10-bit HEVC" : ""), value: "non-standard"),
      makeCheck(
        .pixelAspectRatio, video.hasSquarePixels, "the pixels are not square",
        value: video.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }),
    ]
  }

  private func rateChecks(_ video: VideoTrack) -> [MuxCheck] {
    let rate = video.averageFrameRate?.value
    let limit = keyFrameSeconds[video.codec]
    return [
      makeCheck(
        .frameRate, rate.map(frameRates.contains),
        "the frame rate is \(rate.map(decimal) ?? "?") frames per second; "
          + "the limits are \(ClipRules.formatRange(frameRates))",
        value: rate.map(decimal)),
      makeCheck(
        .bitRate, video.bitsPerSecond.map { $0 <= averageBitsPerSecond },
        "the average bit rate is \(formatMegabits(video.bitsPerSecond)); "
          + "the limit is \(formatMegabits(averageBitsPerSecond))",
        value: "high"),
      makeCheck(
        .gopBitRate,
        gopBitsPerSecond == .max ? true : video.gop?.highestBitsPerSecond.map { $0 <= gopBitsPerSecond },
        "the bit rate of one group of pictures is \(formatMegabits(video.gop?.highestBitsPerSecond)); "
          + "the limit is \(formatMegabits(gopBitsPerSecond))",
        value: "high"),
      makeCheck(
        .keyFrames, limit.flatMap { limit in video.gop.map { $0.longestSeconds <= limit } },
        "the longest key frame interval is \(video.gop.map { decimal($0.longestSeconds) } ?? "?") s; "
          + "the limit is \(limit.map(decimal) ?? "?") s", value: "high"),
      makeCheck(
        .closedGOP, video.gop?.isClosed, "some groups of pictures depend on the previous one", value: "non-standard"),
    ]
  }

  private func audioChecks(_ probe: ClipProbe) -> [MuxCheck] {
    // A clip without audio meets all audio requirements.
    guard let audio = probe.audioTracks.first(where: \.isDefault) ?? probe.audioTracks.first else {
      return [MuxRequirement.audioCodec, .audioChannels, .audioEditList].map { makeCheck($0, true, "") }
    }
    return [
      makeCheck(.audioCodec, audio.codec == "aac", "the audio codec is \(audio.codec)", value: audio.codec),
      makeCheck(
        .audioChannels, audio.channelCount > 0 ? Self.audioChannelCounts.contains(audio.channelCount) : nil,
        "the audio has \(audio.channelCount) channels; Mux expects 1, 2 or 6", value: "non-standard"),
      makeCheck(
        .audioEditList, audio.hasSimpleEdits, "the audio's edit list does more than trim", value: "non-standard"),
    ]
  }

  private func makeCheck(_ requirement: MuxRequirement, _ fits: Bool?, _ message: String, value: String? = nil)
    -> MuxCheck
  {
    MuxCheck(
      requirement: requirement, outcome: fits.map { $0 ? .pass : .fail } ?? .unknown,
      message: message, value: fits == false ? value : nil)
  }

  private func formatMegabits(_ bitsPerSecond: Int64?) -> String {
    (bitsPerSecond.map { decimal(Double($0) / 1_000_000) } ?? "?") + " Mbit/s"
  }
}

/// The outcome of one Mux requirement for a clip.
public struct MuxCheck: Sendable, Equatable {
  /// The requirement that was checked.
  public var requirement: MuxRequirement
  /// Whether the clip meets the requirement.
  public var outcome: RuleOutcome
  /// A description of the violation, if any.
  public var message: String
  /// The value that Mux reports for the requirement's key in `non_standard_input_reasons`.
  public var value: String?
}

/// A row in Mux's table of requirements. The raw values are the IDs of bsc's rules.
public enum MuxRequirement: String, CaseIterable, Sendable {
  /// The video codec.
  case videoCodec = "mux.video-codec"
  /// The length of the longer side.
  case resolution = "mux.resolution"
  /// The chroma subsampling and bit depth.
  case pixelFormat = "mux.pixel-format"
  /// The profile of the video codec.
  case profile = "mux.profile"
  /// The dynamic range: SDR or HDR.
  case dynamicRange = "mux.dynamic-range"
  /// The pixel aspect ratio.
  case pixelAspectRatio = "mux.pixel-aspect-ratio"
  /// The average frame rate.
  case frameRate = "mux.frame-rate"
  /// The average video bit rate.
  case bitRate = "mux.bit-rate"
  /// The bit rate of each group of pictures.
  case gopBitRate = "mux.gop-bit-rate"
  /// The interval between key frames.
  case keyFrames = "mux.key-frames"
  /// Whether all frames are independent of earlier groups of pictures.
  case closedGOP = "mux.closed-gop"
  /// The clip duration.
  case duration = "mux.duration"
  /// The video's edit list.
  case editList = "mux.edit-list"
  /// The audio codec.
  case audioCodec = "mux.audio-codec"
  /// The number of audio channels.
  case audioChannels = "mux.audio-channels"
  /// The audio's edit list.
  case audioEditList = "mux.audio-edit-list"

  /// The requirement's key in Mux's `non_standard_input_reasons`. Some requirements share a generic key.
  public var reasonKey: String { entry.key ?? "unexpected_media_file_parameters" }
  /// The requirement as a short sentence.
  var summary: String { entry.summary }

  private var entry: (key: String?, summary: String) {
    switch self {
    case .videoCodec: ("video_codec", "the video is H.264 or HEVC")
    case .resolution: ("video_resolution", "the longest side is at most 2048 pixels")
    case .pixelFormat: ("unsupported_pixel_format", "the pixel format is 8-bit 4:2:0, or 10-bit in HEVC")
    case .profile: (nil, "the profile is Baseline, Main or High for H.264, or Main or Main 10 for HEVC")
    case .dynamicRange: (nil, "the video is SDR, or HDR in 10-bit HEVC")
    case .pixelAspectRatio: ("pixel_aspect_ratio", "the pixels are square")
    case .frameRate: ("video_frame_rate", "the frame rate is 5 to 120 frames per second")
    case .bitRate: ("video_bitrate", "the average bit rate is at most 8 Mbit/s")
    case .gopBitRate: ("video_bitrate", "the bit rate of every group of pictures is at most 16 Mbit/s")
    case .keyFrames: ("video_gop_size", "key frames are at most 20 s apart (10 s for HEVC)")
    case .closedGOP: (nil, "all groups of pictures are closed and start with an IDR frame")
    case .duration: (nil, "the clip is at most 12 hours long")
    case .editList: ("video_edit_list", "the video's edit list only trims the video")
    case .audioCodec: ("audio_codec", "the audio is AAC, or the clip has no audio")
    case .audioChannels: (nil, "the audio is mono, stereo or 5.1")
    case .audioEditList: ("audio_edit_list", "the audio's edit list only trims the audio")
    }
  }

  /// The inspection depth that the check requires.
  public var depth: InspectionDepth {
    switch self {
    case .bitRate, .gopBitRate, .keyFrames, .closedGOP, .frameRate: .samples
    default: .headers
    }
  }
}
