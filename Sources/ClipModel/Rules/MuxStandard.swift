/// The "standard input" requirements of Mux as of a certain date. Mux also accepts other files, but has to transcode
/// them first. Limits are inclusive, as in Mux's own clients.
public struct MuxStandard: Sendable, Equatable {
  /// `mux-2025-10`.
  public var name: String
  /// The accepted codecs, by their libav names: `h264`, `hevc`.
  public var codecs: Set<String>
  /// The maximum of width and height, in pixels.
  public var longestSide: Int
  /// The average frame rate, in frames per second.
  public var frameRates: ClosedRange<Double>
  /// The maximum average bit rate of the video.
  public var averageBitsPerSecond: Int64
  /// The maximum bit rate of a single group of pictures; `Int64.max` if there is no limit.
  public var gopBitsPerSecond: Int64
  /// The maximum time between two key frames in seconds, by codec.
  public var keyFrameSeconds: [String: Double]
  /// The accepted pixel formats by codec, with their libav names: `yuv420p`.
  public var pixelFormats: [String: Set<String>]
  /// The accepted profiles by codec, with their libav names: `High`.
  public var profiles: [String: Set<String>]
  /// Whether HLG and PQ are accepted, in 10-bit HEVC.
  public var acceptsHDR: Bool

  /// The maximum duration in seconds: 12 hours.
  public static let longestSeconds = 43_200.0
  static let audioChannelCounts: Set<Int> = [1, 2, 6]

  private static let h264 = (
    formats: Set(["yuv420p", "yuvj420p"]),
    profiles: Set(["Constrained Baseline", "Baseline", "Main", "Extended", "High"])
  )

  /// The limits for 1080p since 15 October 2025, when HEVC was added.
  public static let october2025 = MuxStandard(
    name: "mux-2025-10", codecs: ["h264", "hevc"], longestSide: 2048, frameRates: 5...120,
    averageBitsPerSecond: 8_000_000, gopBitsPerSecond: 16_000_000, keyFrameSeconds: ["h264": 20, "hevc": 10],
    pixelFormats: ["h264": h264.formats, "hevc": ["yuv420p", "yuvj420p", "yuv420p10le"]],
    profiles: ["h264": h264.profiles, "hevc": ["Main", "Main 10"]], acceptsHDR: true)

  /// The limits for 2K and 4K since 15 October 2025. Smaller videos are still checked against the limits for 1080p.
  public static let october2025Large = MuxStandard(
    name: "mux-2025-10-4k", codecs: ["h264", "hevc"], longestSide: 4096, frameRates: 5...60,
    averageBitsPerSecond: 20_000_000, gopBitsPerSecond: .max, keyFrameSeconds: ["h264": 10, "hevc": 6],
    pixelFormats: october2025.pixelFormats, profiles: october2025.profiles, acceptsHDR: true)

  /// The limits before October 2025: H.264 only.
  public static let june2024 = MuxStandard(
    name: "mux-2024-06", codecs: ["h264"], longestSide: 2048, frameRates: 5...120, averageBitsPerSecond: 8_000_000,
    gopBitsPerSecond: 16_000_000, keyFrameSeconds: ["h264": 20], pixelFormats: ["h264": h264.formats],
    profiles: ["h264": h264.profiles], acceptsHDR: false)

  /// The standard that bsc's own output conforms to.
  public static let today = october2025

  /// All known standards, newest first.
  public static let all = [october2025, october2025Large, june2024]

  /// The standard that applies to a clip: Mux checks small videos against the limits for 1080p, whatever the tier.
  public func effective(for probe: ClipProbe) -> MuxStandard {
    let isSmall = (probe.mainVideo?.shownSize.longSide ?? 0) <= MuxStandard.october2025.longestSide
    return isSmall && self == .october2025Large ? .october2025 : self
  }

  /// Checks every requirement.
  public func evaluate(_ probe: ClipProbe) -> [MuxCheck] {
    guard let video = probe.mainVideo else { return MuxRequirement.allCases.map { check($0, nil, "") } }
    return videoChecks(video) + rateChecks(video) + [
      check(
        .duration, probe.shownSeconds.map { $0 <= Self.longestSeconds }, "the duration is longer than 12 hours"),
      check(.editList, video.hasSimpleEdits, "the video's edit list does more than trim", value: "non-standard"),
    ] + audioChecks(probe)
  }

  private func videoChecks(_ video: VideoTrack) -> [MuxCheck] {
    let format = video.pixelFormat
    let isHDR = video.color.dynamicRange != .sdr
    let stored = video.storedSize
    return [
      check(.videoCodec, codecs.contains(video.codec), "the video codec is \(video.codec)", value: video.codec),
      check(
        .resolution, stored.longSide <= longestSide,
        "the longest side is \(stored.longSide) pixels; the limit is \(longestSide)", value: "\(stored)"),
      check(
        .pixelFormat, format.flatMap { pixelFormats[video.codec]?.contains($0) },
        "the pixel format is \(format ?? "unknown")", value: format),
      check(
        .profile, video.profile.flatMap { profiles[video.codec]?.contains($0) },
        "the profile is \(video.profile ?? "unknown")", value: "non-standard"),
      check(
        .dynamicRange, !isHDR || (acceptsHDR && video.codec == "hevc" && video.bitDepth == 10),
        "the video is \(video.color.dynamicRange.rawValue.uppercased())"
          + (acceptsHDR ? ", but not 10-bit HEVC" : ""), value: "non-standard"),
      check(
        .pixelAspectRatio, video.hasSquarePixels, "the pixels are not square",
        value: video.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }),
    ]
  }

  private func rateChecks(_ video: VideoTrack) -> [MuxCheck] {
    let rate = video.averageFrameRate?.value
    let limit = keyFrameSeconds[video.codec]
    return [
      check(
        .frameRate, rate.map(frameRates.contains),
        "the frame rate is \(rate.map(decimal) ?? "?") frames per second; the limits are \(ClipRules.text(frameRates))",
        value: rate.map(decimal)),
      check(
        .bitRate, video.bitsPerSecond.map { $0 <= averageBitsPerSecond },
        "the average bit rate is \(megabits(video.bitsPerSecond)); the limit is \(megabits(averageBitsPerSecond))",
        value: "high"),
      check(
        .gopBitRate,
        gopBitsPerSecond == .max ? true : video.gop?.highestBitsPerSecond.map { $0 <= gopBitsPerSecond },
        "the bit rate of a group of pictures is \(megabits(video.gop?.highestBitsPerSecond)); the limit is "
          + megabits(gopBitsPerSecond),
        value: "high"),
      check(
        .keyFrames, limit.flatMap { limit in video.gop.map { $0.longestSeconds <= limit } },
        "the longest time between key frames is \(video.gop.map { decimal($0.longestSeconds) } ?? "?") s; the limit is "
          + "\(limit.map(decimal) ?? "?") s", value: "high"),
      check(.closedGOP, video.gop?.isClosed, "a group of pictures depends on the previous one", value: "non-standard"),
    ]
  }

  private func audioChecks(_ probe: ClipProbe) -> [MuxCheck] {
    // A clip without audio conforms.
    guard let audio = probe.audioTracks.first(where: \.isDefault) ?? probe.audioTracks.first else {
      return [MuxRequirement.audioCodec, .audioChannels, .audioEditList].map { check($0, true, "") }
    }
    return [
      check(.audioCodec, audio.codec == "aac", "the audio codec is \(audio.codec)", value: audio.codec),
      check(
        .audioChannels, audio.channelCount > 0 ? Self.audioChannelCounts.contains(audio.channelCount) : nil,
        "the audio has \(audio.channelCount) channels; 1, 2 or 6 are allowed", value: "non-standard"),
      check(
        .audioEditList, audio.hasSimpleEdits, "the audio's edit list does more than trim", value: "non-standard"),
    ]
  }

  private func check(_ requirement: MuxRequirement, _ fits: Bool?, _ message: String, value: String? = nil) -> MuxCheck
  {
    MuxCheck(
      requirement: requirement, outcome: fits.map { $0 ? .pass : .fail } ?? .unknown,
      message: message, value: fits == false ? value : nil)
  }

  private func megabits(_ bitsPerSecond: Int64?) -> String {
    (bitsPerSecond.map { decimal(Double($0) / 1_000_000) } ?? "?") + " Mbit/s"
  }
}

/// The outcome of one requirement for one clip.
public struct MuxCheck: Sendable, Equatable {
  /// The requirement.
  public var requirement: MuxRequirement
  /// The outcome.
  public var outcome: RuleOutcome
  /// The violation, if there is one.
  public var message: String
  /// The value that Mux reports in `non_standard_input_reasons` under the requirement's key.
  public var value: String?
}

/// A row of Mux's table. The raw values are the IDs of our rules.
public enum MuxRequirement: String, CaseIterable, Sendable {
  /// The video codec.
  case videoCodec = "mux.video-codec"
  /// The longest side of the video.
  case resolution = "mux.resolution"
  /// Chroma subsampling and bit depth.
  case pixelFormat = "mux.pixel-format"
  /// The profile of the video codec.
  case profile = "mux.profile"
  /// SDR or HDR.
  case dynamicRange = "mux.dynamic-range"
  /// The pixel aspect ratio.
  case pixelAspectRatio = "mux.pixel-aspect-ratio"
  /// The average frame rate.
  case frameRate = "mux.frame-rate"
  /// The average bit rate.
  case bitRate = "mux.bit-rate"
  /// The bit rate of each group of pictures.
  case gopBitRate = "mux.gop-bit-rate"
  /// The time between key frames.
  case keyFrames = "mux.key-frames"
  /// No frame depends on a frame before its key frame.
  case closedGOP = "mux.closed-gop"
  /// The duration.
  case duration = "mux.duration"
  /// The edit list of the video.
  case editList = "mux.edit-list"
  /// The audio codec.
  case audioCodec = "mux.audio-codec"
  /// The number of audio channels.
  case audioChannels = "mux.audio-channels"
  /// The edit list of the audio.
  case audioEditList = "mux.audio-edit-list"

  /// The key in Mux's `non_standard_input_reasons`. Some requirements share a generic key.
  public var reasonKey: String { entry.key ?? "unexpected_media_file_parameters" }
  /// The requirement as text.
  var summary: String { entry.summary }

  private var entry: (key: String?, summary: String) {
    switch self {
    case .videoCodec: ("video_codec", "the video is H.264 or HEVC")
    case .resolution: ("video_resolution", "the longest side is at most 2048 pixels")
    case .pixelFormat: ("unsupported_pixel_format", "the pixel format is 8-bit 4:2:0, or 10-bit in HEVC")
    case .profile: (nil, "the profile is Baseline, Main or High; in HEVC Main or Main 10")
    case .dynamicRange: (nil, "the video is SDR, or HDR in 10-bit HEVC")
    case .pixelAspectRatio: ("pixel_aspect_ratio", "the pixels are square")
    case .frameRate: ("video_frame_rate", "the frame rate is 5 to 120 frames per second")
    case .bitRate: ("video_bitrate", "the average bit rate is at most 8 Mbit/s")
    case .gopBitRate: ("video_bitrate", "the bit rate of every group of pictures is at most 16 Mbit/s")
    case .keyFrames: ("video_gop_size", "there is a key frame at least every 20 s; in HEVC every 10 s")
    case .closedGOP: (nil, "every group of pictures is closed and starts with an IDR frame")
    case .duration: (nil, "the clip is at most 12 hours long")
    case .editList: ("video_edit_list", "the video's edit list only trims")
    case .audioCodec: ("audio_codec", "the audio is AAC, or there is none")
    case .audioChannels: (nil, "the audio is mono, stereo or 5.1")
    case .audioEditList: ("audio_edit_list", "the audio's edit list only trims")
    }
  }

  /// The inspection depth that the check needs.
  public var depth: InspectionDepth {
    switch self {
    case .bitRate, .gopBitRate, .keyFrames, .closedGOP, .frameRate: .samples
    default: .headers
    }
  }
}
