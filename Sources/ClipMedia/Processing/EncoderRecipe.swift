import ClipModel
import LibAV

/// The x264 settings for a clip, which depend on the clip's content.
///
/// The preset `superfast` with macroblock tree and a 16-frame lookahead has most of the efficiency of `veryfast` at a
/// much lower cost. A smaller deadzone and weaker adaptive quantization preserve the fine texture that VMAF measures.
/// The motion refinement of `veryfast` pays off only for detailed video. Docs/performance.md has the measurements.
enum EncoderRecipe: Equatable {
  /// Plain video, such as a gym, a wall or sand. Most rallies are plain.
  case plain
  /// Detailed video, such as leaves, rock or a crowd.
  case detailed

  /// The number of bits per pixel in a single frame (see `FirstFrame`) above which video is detailed. In eleven
  /// one-second samples, plain video had 0.46 to 0.85 and detailed video had 1.13 to 1.51.
  static let detailLimit = 1.0

  init(bitsPerPixel: Double) { self = bitsPerPixel > Self.detailLimit ? .detailed : .plain }

  var parameters: String {
    // Disabling the lookahead thread, which would queue frames, saves 30 MB. Each lookahead frame uses 6 MB, and four
    // more frames would improve the quality by less than 0.1 VMAF at the same size.
    let common = "mbtree=1:rc-lookahead=16:sync-lookahead=0:open-gop=0:b-adapt=0:aq-strength=0.7"
    return switch self {
    case .plain: common + ":deadzone-inter=12:deadzone-intra=6"
    case .detailed: common + ":subme=2:deadzone-inter=16:deadzone-intra=8"
    }
  }

  /// Returns the rate factor that results in the same size as `veryfast` at `quality`.
  /// - Parameter sourceBitsPerPixel: the source's bits per pixel and frame. If the value is low, the source contains
  ///   little noise, and its remaining detail is worth preserving.
  func rateFactor(quality: Double, sourceBitsPerPixel: Double?) -> Double {
    switch self {
    case .plain: quality + ((sourceBitsPerPixel ?? 1) < 0.05 ? 2.0 : 2.6)
    case .detailed: quality + 1.65
    }
  }

  /// Returns the initial fill level of the decoder's buffer, from 0 to 1. The initial fill adds to the average bit
  /// rate, so short clips start with a lower level.
  static func initialBufferFill(_ encoding: VideoEncoding, durationSeconds: Double) -> Double {
    let slack = 0.05 * Double(encoding.maximumBitsPerSecond) * durationSeconds
    return min(max(slack / Double(max(encoding.bufferBits, 1)), 0.1), 0.9)
  }
}
