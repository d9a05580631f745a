import ClipModel
import LibAV

/// How x264 works on a clip, chosen by what is in it. All of it are settings that anybody may type.
///
/// `superfast` with macroblock tree and a lookahead of 20 has most of `veryfast`'s quality per byte for much less work. A
/// smaller deadzone keeps the fine texture that VMAF sees, adaptive quantization is gentler, and the refinement of
/// motion that `veryfast` has is worth its price on detailed pictures only. Figures: Docs/performance.md.
enum EncoderRecipe: Equatable {
  /// A gym, a wall, sand: what most rallies are.
  case plain
  /// Leaves, rock, a crowd.
  case detailed

  /// Bits per pixel of a picture coded by itself (see `ContentMeasure`) above which it is detailed: of eleven seconds
  /// looked at, plain ones had 0.46 to 0.85, detailed ones 1.13 to 1.51.
  static let detailLimit = 1.0

  init(bitsPerPixel: Double) { self = bitsPerPixel > Self.detailLimit ? .detailed : .plain }

  static let preset = "superfast"

  var parameters: String {
    // No thread of its own for the lookahead, which would hold a queue of pictures in front of it: 30 MB less.
    let common = "mbtree=1:rc-lookahead=20:sync-lookahead=0:open-gop=0:b-adapt=0:aq-strength=0.7"
    return switch self {
    case .plain: common + ":deadzone-inter=12:deadzone-intra=6"
    case .detailed: common + ":subme=2:deadzone-inter=16:deadzone-intra=8"
    }
  }

  /// The factor that gives the bytes of `veryfast` at `quality`.
  /// - Parameter sourceBitsPerPixel: of the source's picture and frame; a source with few has lost its noise already,
  ///   and what is left is worth keeping.
  func rateFactor(quality: Double, sourceBitsPerPixel: Double?) -> Double {
    switch self {
    case .plain: quality + ((sourceBitsPerPixel ?? 1) < 0.05 ? 2.0 : 2.6)
    case .detailed: quality + 1.65
    }
  }

  /// How full the decoder's buffer is at the beginning, 0 to 1, so that even a short clip keeps its average: what is in
  /// it comes on top of the rate.
  static func initialFill(_ encoding: VideoEncoding, durationSeconds: Double) -> Double {
    let slack = 0.05 * Double(encoding.maximumBitsPerSecond) * durationSeconds
    return min(max(slack / Double(max(encoding.bufferBits, 1)), 0.1), 0.9)
  }
}
