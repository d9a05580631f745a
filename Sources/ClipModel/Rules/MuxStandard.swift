/// What Mux takes as it is, "standard input", as published at some date: anything else works too, but is transcoded
/// first and ready later. Boundaries are inclusive, as in Mux's own clients.
public struct MuxStandard: Sendable, Equatable {
  /// `mux-2025-10`.
  public var name: String
  /// libav's names: `h264`, `hevc`.
  public var codecs: Set<String>
  /// Pixels of the longest side.
  public var longestSide: Int
  /// Frames per second, on average.
  public var frameRates: ClosedRange<Double>
  /// Of the video, on average, at most.
  public var averageBitsPerSecond: Int64
  /// Of any single group of pictures; the largest number there is without a limit.
  public var gopBitsPerSecond: Int64
  /// Seconds from one key frame to the next, by codec.
  public var keyFrameSeconds: [String: Double]
  /// libav's names, by codec: `yuv420p`.
  public var pixelFormats: [String: Set<String>]
  /// libav's names, by codec: `High`.
  public var profiles: [String: Set<String>]
  /// HLG and PQ, in HEVC with 10 bits.
  public var takesHDR: Bool

  /// Seconds: 12 hours.
  public static let longestSeconds = 43_200.0
  static let audioChannelCounts: Set<Int> = [1, 2, 6]

  private static let h264 = (
    formats: Set(["yuv420p", "yuvj420p"]),
    profiles: Set(["Constrained Baseline", "Baseline", "Main", "Extended", "High"])
  )

  /// Since 15 October 2025, when HEVC was added: the column for 1080p.
  public static let october2025 = MuxStandard(
    name: "mux-2025-10", codecs: ["h264", "hevc"], longestSide: 2048, frameRates: 5...120,
    averageBitsPerSecond: 8_000_000, gopBitsPerSecond: 16_000_000, keyFrameSeconds: ["h264": 20, "hevc": 10],
    pixelFormats: ["h264": h264.formats, "hevc": ["yuv420p", "yuvj420p", "yuv420p10le"]],
    profiles: ["h264": h264.profiles, "hevc": ["Main", "Main 10"]], takesHDR: true)

  /// The same, the column for 2K and 4K. Smaller pictures are judged by the one for 1080p all the same.
  public static let october2025Large = MuxStandard(
    name: "mux-2025-10-4k", codecs: ["h264", "hevc"], longestSide: 4096, frameRates: 5...60,
    averageBitsPerSecond: 20_000_000, gopBitsPerSecond: .max, keyFrameSeconds: ["h264": 10, "hevc": 6],
    pixelFormats: october2025.pixelFormats, profiles: october2025.profiles, takesHDR: true)

  /// Before: H.264 only.
  public static let june2024 = MuxStandard(
    name: "mux-2024-06", codecs: ["h264"], longestSide: 2048, frameRates: 5...120, averageBitsPerSecond: 8_000_000,
    gopBitsPerSecond: 16_000_000, keyFrameSeconds: ["h264": 20], pixelFormats: ["h264": h264.formats],
    profiles: ["h264": h264.profiles], takesHDR: false)

  /// What bsc makes its own clips for.
  public static let today = october2025

  /// Every one that this version knows, newest first.
  public static let all = [october2025, october2025Large, june2024]

  /// The one that counts for a clip: Mux judges small sources by the column for 1080p, whatever tier is asked for.
  public func effective(for probe: ClipProbe) -> MuxStandard {
    let isSmall = (probe.mainVideo?.shownSize.longSide ?? 0) <= MuxStandard.october2025.longestSide
    return isSmall && self == .october2025Large ? .october2025 : self
  }

  /// Every requirement in turn.
  public func judge(_ probe: ClipProbe) -> [MuxCheck] {
    guard let video = probe.mainVideo else { return MuxRequirement.allCases.map { check($0, nil, "") } }
    return pictureChecks(video) + rateChecks(video) + [
      check(
        .duration, (video.durationSeconds ?? probe.durationSeconds).map { $0 <= Self.longestSeconds },
        "it is longer than 12 hours"),
      check(.editList, video.hasSimpleEdits, "its edit list is more than a trim", value: "non-standard"),
    ] + audioChecks(probe)
  }

  private func pictureChecks(_ video: VideoTrack) -> [MuxCheck] {
    let format = video.pixelFormat
    let isHDR = video.color.dynamicRange != .sdr
    let shown = video.storedSize
    return [
      check(.videoCodec, codecs.contains(video.codec), "the video is \(video.codec)", value: video.codec),
      check(
        .resolution, max(shown.width, shown.height) <= longestSide,
        "the longest side has \(shown.longSide) pixels; \(longestSide) are taken", value: "\(shown)"),
      check(
        .pixelFormat, format.flatMap { pixelFormats[video.codec]?.contains($0) },
        "the pixel format is \(format ?? "unknown")", value: format),
      check(
        .profile, video.profile.flatMap { profiles[video.codec]?.contains($0) },
        "the profile is \(video.profile ?? "unknown")", value: "non-standard"),
      check(
        .dynamicRange, !isHDR || (takesHDR && video.codec == "hevc" && video.bitDepth == 10),
        "the picture is \(video.color.dynamicRange.rawValue.uppercased())"
          + (takesHDR ? ", and not HEVC with 10 bits" : ""), value: "non-standard"),
      check(
        .pixelAspectRatio, video.hasSquarePixels, "pixels are not square",
        value: video.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }),
    ]
  }

  private func rateChecks(_ video: VideoTrack) -> [MuxCheck] {
    let rate = video.averageFrameRate?.value
    let limit = keyFrameSeconds[video.codec]
    return [
      check(
        .frameRate, rate.map(frameRates.contains),
        "\(rate.map(decimal) ?? "?") frames per second; \(decimal(frameRates.lowerBound)) to "
          + "\(decimal(frameRates.upperBound)) are taken", value: rate.map(decimal)),
      check(
        .bitRate, video.bitsPerSecond.map { $0 <= averageBitsPerSecond },
        "\(megabits(video.bitsPerSecond)) Mbit/s on average; \(megabits(averageBitsPerSecond)) are taken",
        value: "high"),
      check(
        .gopBitRate,
        gopBitsPerSecond == .max ? true : video.gop?.highestBitsPerSecond.map { $0 <= gopBitsPerSecond },
        "a group of pictures has \(megabits(video.gop?.highestBitsPerSecond)) Mbit/s; "
          + "\(megabits(gopBitsPerSecond)) are taken", value: "high"),
      check(
        .keyFrames, limit.flatMap { limit in video.gop.map { $0.longestSeconds <= limit } },
        "\(video.gop.map { decimal($0.longestSeconds) } ?? "?") s between key frames; \(limit.map(decimal) ?? "?") are "
          + "taken", value: "high"),
      check(.closedGOP, video.gop?.isClosed, "a group of pictures needs the one before it", value: "non-standard"),
    ]
  }

  private func audioChecks(_ probe: ClipProbe) -> [MuxCheck] {
    // No sound is fine.
    guard let audio = probe.audioTracks.first(where: \.isDefault) ?? probe.audioTracks.first else {
      return [MuxRequirement.audioCodec, .audioChannels, .audioEditList].map { check($0, true, "") }
    }
    return [
      check(.audioCodec, audio.codec == "aac", "the sound is \(audio.codec)", value: audio.codec),
      check(
        .audioChannels, audio.channelCount > 0 ? Self.audioChannelCounts.contains(audio.channelCount) : nil,
        "the sound has \(audio.channelCount) channels; 1, 2 or 6 are taken", value: "non-standard"),
      check(
        .audioEditList, audio.hasSimpleEdits, "the edit list of the sound is more than a trim", value: "non-standard"),
    ]
  }

  private func check(_ requirement: MuxRequirement, _ fits: Bool?, _ message: String, value: String? = nil) -> MuxCheck
  {
    MuxCheck(
      requirement: requirement, outcome: fits.map { $0 ? .pass : .fail } ?? .unknown,
      message: message, value: fits == false ? value : nil)
  }

  private func megabits(_ bitsPerSecond: Int64?) -> String {
    bitsPerSecond.map { decimal(Double($0) / 1_000_000) } ?? "?"
  }
}

/// One requirement of the standard and one clip.
public struct MuxCheck: Sendable, Equatable {
  /// Which one.
  public var requirement: MuxRequirement
  /// Whether the clip keeps to it.
  public var outcome: RuleOutcome
  /// What is wrong, if anything is.
  public var message: String
  /// What Mux would write into `non_standard_input_reasons` under the requirement's key.
  public var value: String?
}

/// A row of Mux's table, by the id of our rule.
public enum MuxRequirement: String, CaseIterable, Sendable {
  /// The codec is one that Mux takes as it is.
  case videoCodec = "mux.video-codec"
  /// No side is longer than allowed.
  case resolution = "mux.resolution"
  /// 4:2:0 with the bits that go with the codec.
  case pixelFormat = "mux.pixel-format"
  /// The codec's profile.
  case profile = "mux.profile"
  /// SDR, or HDR where it is taken.
  case dynamicRange = "mux.dynamic-range"
  /// Pixels are square.
  case pixelAspectRatio = "mux.pixel-aspect-ratio"
  /// Frames per second on average.
  case frameRate = "mux.frame-rate"
  /// Bits per second on average.
  case bitRate = "mux.bit-rate"
  /// Bits per second of each group of pictures.
  case gopBitRate = "mux.gop-bit-rate"
  /// Seconds from one key frame to the next.
  case keyFrames = "mux.key-frames"
  /// Nothing needs what was before its key frame.
  case closedGOP = "mux.closed-gop"
  /// Not too long.
  case duration = "mux.duration"
  /// The picture's edit list is simple.
  case editList = "mux.edit-list"
  /// The sound is AAC.
  case audioCodec = "mux.audio-codec"
  /// One, two or six channels.
  case audioChannels = "mux.audio-channels"
  /// The sound's edit list is simple.
  case audioEditList = "mux.audio-edit-list"

  /// The key in Mux's `non_standard_input_reasons`; Mux has no key of its own for some of them.
  public var reasonKey: String { entry.key ?? "unexpected_media_file_parameters" }
  /// What the requirement is.
  var summary: String { entry.summary }

  private var entry: (key: String?, summary: String) {
    switch self {
    case .videoCodec: ("video_codec", "the video is H.264 or HEVC")
    case .resolution: ("video_resolution", "the longest side has at most 2048 pixels")
    case .pixelFormat: ("unsupported_pixel_format", "pixels are 4:2:0 with 8 bits (HEVC: or 10)")
    case .profile: (nil, "the profile is Baseline, Main or High (HEVC: Main or Main 10)")
    case .dynamicRange: (nil, "HDR only as HEVC with 10 bits")
    case .pixelAspectRatio: ("pixel_aspect_ratio", "pixels are square")
    case .frameRate: ("video_frame_rate", "5 to 120 frames per second")
    case .bitRate: ("video_bitrate", "at most 8 Mbit/s on average")
    case .gopBitRate: ("video_bitrate", "at most 16 Mbit/s in any group of pictures")
    case .keyFrames: ("video_gop_size", "a key frame at least every 20 s (HEVC: 10)")
    case .closedGOP: (nil, "every group of pictures is closed and begins with an IDR picture")
    case .duration: (nil, "at most 12 hours")
    case .editList: ("video_edit_list", "the edit list is no more than a trim")
    case .audioCodec: ("audio_codec", "the sound is AAC, or there is none")
    case .audioChannels: (nil, "mono, stereo or 5.1")
    case .audioEditList: ("audio_edit_list", "the edit list of the sound is no more than a trim")
    }
  }

  /// What has to be read to judge it.
  public var depth: InspectionDepth {
    switch self {
    case .bitRate, .gopBitRate, .keyFrames, .closedGOP, .frameRate: .samples
    default: .headers
    }
  }
}
