import ClipModel
import LibAV

/// The x264 settings for a clip, which depend on the effort and on the clip's content. Docs/performance.md has the
/// measurements. For HEVC, x265 uses the same preset and its own rate factor.
///
/// - `fast`: the preset `superfast` with macroblock tree and a 16-frame lookahead has most of the efficiency of
///   `veryfast` at a much lower cost. Weaker adaptive quantization, and a smaller deadzone, preserve the fine texture that
///   VMAF measures. The motion refinement of `veryfast` pays off only for detailed video.
/// - `balanced`: the preset `faster`. Trellis quantization, which ignores deadzones, gains 0.2 VMAF.
/// - `best`: the preset `fast` with the motion refinement of `medium` (`subme=7`).
///
/// The last two use one reference frame, because more references improve rallies by less than 0.1 VMAF, and weaker
/// adaptive quantization and psychovisual optimization than x264's defaults, which gain 0.1 to 0.4 VMAF.
struct EncoderRecipe: Equatable {
  var effort: EncodingEffort
  /// Whether the video is detailed, such as leaves, rock or a crowd. Plain video is a gym, a wall or sand. Most rallies
  /// are plain.
  var isDetailed: Bool

  /// The number of bits per pixel in a single frame (see `FirstFrame`) above which video is detailed. In eleven
  /// one-second samples, plain video had 0.46 to 0.85 and detailed video had 1.13 to 1.51.
  static let detailLimit = 1.0

  init(_ effort: EncodingEffort, bitsPerPixel: Double) {
    (self.effort, isDetailed) = (effort, bitsPerPixel > Self.detailLimit)
  }

  var preset: String {
    switch effort {
    case .fast: "superfast"
    case .balanced: "faster"
    case .best: "fast"
    }
  }

  var parameters: String {
    // Disabling the lookahead thread, which would queue frames, saves 30 MB. Each lookahead frame uses 6 MB, and four
    // more frames would improve the quality by less than 0.1 VMAF at the same size.
    let common = "sync-lookahead=0:open-gop=0"
    return switch (effort, isDetailed) {
    case (.fast, false):
      common + ":aq-strength=0.7:rc-lookahead=16:mbtree=1:b-adapt=0:deadzone-inter=12:deadzone-intra=6"
    case (.fast, true):
      common + ":aq-strength=0.7:rc-lookahead=16:mbtree=1:b-adapt=0:subme=2:deadzone-inter=16:deadzone-intra=8"
    case (.balanced, _): common + ":aq-strength=0.4:psy-rd=0.3,0:rc-lookahead=20:ref=1"
    case (.best, _): common + ":aq-strength=0.4:psy-rd=0.3,0:rc-lookahead=20:ref=1:subme=7"
    }
  }

  /// Returns the rate factor. For H.264, it results in about the same size as `veryfast` at the encoding's rate factor.
  /// - Parameter sourceBitsPerPixel: the source's bits per pixel and frame. If the value is low, the source contains
  ///   little noise, and its remaining detail is worth preserving.
  func rateFactor(for encoding: VideoEncoding, sourceBitsPerPixel: Double?) -> Double {
    let quality = encoding.constantRateFactor
    // Adding 1 results in about the same quality as x264.
    guard encoding.codec == .h264 else { return quality + 1 }
    return switch (effort, isDetailed) {
    case (.fast, false): quality + ((sourceBitsPerPixel ?? 1) < 0.05 ? 2.0 : 2.6)
    case (.fast, true): quality + 1.65
    case (.balanced, _): quality + 1.2
    case (.best, _): quality + 1.45
    }
  }
}

/// The limits of the encoder's rate control for a clip, and the state of the decoder's buffer at its start.
///
/// The bits in the buffer at the start add to the average bit rate, which exceeds the encoding's maximum bit rate by at
/// most 5 %. Clips of less than 1.2 s can exceed it by more, and are encoded again if they exceed a limit of the service.
struct RateLimits: Equatable {
  var bitsPerSecond: Int64
  var bufferBits: Int64
  /// The initial fill level of the buffer, from 0 to 1.
  var initialFill: Double

  /// The most by which the average bit rate can exceed the encoding's maximum bit rate.
  private static let excess = 0.05
  /// With a lower fill level, x264 saves bits in the first seconds, and a short clip begins blurred.
  private static let minimumFill = 0.5
  private static let maximumFill = 0.9
  /// The bit rate of short clips, as a share of the maximum. The difference fills the buffer, which is smaller.
  private static let shortClipShare = 0.9
  /// The duration of the smallest buffer at the maximum bit rate, in seconds.
  private static let minimumBufferSeconds = 0.2

  init(_ encoding: VideoEncoding, durationSeconds: Double) {
    let bits = Double(encoding.maximumBitsPerSecond) * durationSeconds
    let buffer = Double(max(encoding.bufferBits, 1))
    let fill = Self.excess * bits / buffer
    guard fill < Self.minimumFill else {
      (bitsPerSecond, bufferBits) = (encoding.maximumBitsPerSecond, encoding.bufferBits)
      initialFill = min(fill, Self.maximumFill)
      return
    }
    bitsPerSecond = Int64(Self.shortClipShare * Double(encoding.maximumBitsPerSecond))
    let available = (1 + Self.excess - Self.shortClipShare) * bits / Self.maximumFill
    let minimum = Self.minimumBufferSeconds * Double(encoding.maximumBitsPerSecond)
    bufferBits = Int64(min(buffer, max(available, minimum)))
    initialFill = Self.maximumFill
  }
}
