import ClipModel
import LibAV

/// The x264 settings for a clip, chosen by its content.
///
/// `superfast` with macroblock tree and a lookahead of 16 has most of `veryfast`'s quality per byte for much less work.
/// A smaller deadzone keeps the fine texture that VMAF measures, and adaptive quantization is gentler. The motion
/// refinement of `veryfast` is worth its cost only on detailed video. Figures: Docs/performance.md.
enum EncoderRecipe: Equatable {
  /// Plain video, such as a gym, a wall or sand. Most rallies are plain.
  case plain
  /// Detailed video, such as leaves, rock or a crowd.
  case detailed

  /// The bits per pixel of a single frame (see `FirstFrame`) above which video is detailed. Of eleven measured seconds,
  /// plain ones had 0.46 to 0.85 and detailed ones 1.13 to 1.51.
  static let detailLimit = 1.0

  init(bitsPerPixel: Double) { self = bitsPerPixel > Self.detailLimit ? .detailed : .plain }

  var parameters: String {
    // Without a lookahead thread, which would hold a queue of frames: saves 30 MB. Each frame of lookahead holds 6 MB;
    // four more improve the quality at equal size by less than 0.1 VMAF.
    let common = "mbtree=1:rc-lookahead=16:sync-lookahead=0:open-gop=0:b-adapt=0:aq-strength=0.7"
    return switch self {
    case .plain: common + ":deadzone-inter=12:deadzone-intra=6"
    case .detailed: common + ":subme=2:deadzone-inter=16:deadzone-intra=8"
    }
  }

  /// The rate factor that results in as many bytes as `veryfast` at `quality`.
  /// - Parameter sourceBitsPerPixel: the bits of the source per pixel and frame. If it is low, the source has already
  ///   lost its noise, and the remaining detail is worth keeping.
  func rateFactor(quality: Double, sourceBitsPerPixel: Double?) -> Double {
    switch self {
    case .plain: quality + ((sourceBitsPerPixel ?? 1) < 0.05 ? 2.0 : 2.6)
    case .detailed: quality + 1.65
    }
  }

  /// The initial fill of the decoder's buffer, 0 to 1. The buffer content adds to the bit rate, so short clips start
  /// with a lower fill to keep their average.
  static func initialFill(_ encoding: VideoEncoding, durationSeconds: Double) -> Double {
    let slack = 0.05 * Double(encoding.maximumBitsPerSecond) * durationSeconds
    return min(max(slack / Double(max(encoding.bufferBits, 1)), 0.1), 0.9)
  }
}
