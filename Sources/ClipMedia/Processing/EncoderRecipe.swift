import ClipModel
import LibAV

/// The x264 settings for a clip, which depend on the effort and on the clip's content. Docs/performance.md has the
/// measurements.
///
/// - `fast`: the preset `superfast` with macroblock tree and a 16-frame lookahead has most of the efficiency of
///   `veryfast` at a much lower cost. Weaker adaptive quantization, and a smaller deadzone, preserve the fine texture that
///   VMAF measures. The motion refinement of `veryfast` pays off only for detailed video.
/// - `balanced`: the preset `faster`. Trellis quantization, which ignores deadzones, gains 0.2 VMAF.
/// - `best`: the preset `medium`.
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
    case .best: "medium"
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
    case (.balanced, _): common + ":aq-strength=0.5:psy-rd=0.5,0:rc-lookahead=20:ref=1"
    case (.best, _): common + ":aq-strength=0.5:psy-rd=0.5,0:rc-lookahead=30:ref=1"
    }
  }

  /// Returns the rate factor that results in about the same size as `veryfast` at `quality`.
  /// - Parameter sourceBitsPerPixel: the source's bits per pixel and frame. If the value is low, the source contains
  ///   little noise, and its remaining detail is worth preserving.
  func rateFactor(quality: Double, sourceBitsPerPixel: Double?) -> Double {
    switch (effort, isDetailed) {
    case (.fast, false): quality + ((sourceBitsPerPixel ?? 1) < 0.05 ? 2.0 : 2.6)
    case (.fast, true): quality + 1.65
    case (.balanced, _): quality + 1.2
    case (.best, _): quality + 1.45
    }
  }

  /// Returns the initial fill level of the decoder's buffer, from 0 to 1. The initial fill adds to the average bit
  /// rate, so short clips start with a lower level.
  static func initialBufferFill(_ encoding: VideoEncoding, durationSeconds: Double) -> Double {
    let slack = 0.05 * Double(encoding.maximumBitsPerSecond) * durationSeconds
    return min(max(slack / Double(max(encoding.bufferBits, 1)), 0.1), 0.9)
  }
}
