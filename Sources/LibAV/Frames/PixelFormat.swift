import CFFmpeg

/// The memory layout of a frame's samples. A wrapper for libav's `AVPixelFormat`.
public struct PixelFormat: Equatable, Sendable, CustomStringConvertible {
  let raw: AVPixelFormat

  init(_ raw: AVPixelFormat) { self.raw = raw }

  /// - Parameter name: libav's name for the format, such as `yuv420p10le`.
  public init?(name: String) {
    raw = av_get_pix_fmt(name)
    guard raw != AV_PIX_FMT_NONE else { return nil }
  }

  /// 8-bit 4:2:0, with limited range by convention.
  public static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
  /// 8-bit 4:2:0, with full range by definition, as in JPEG.
  public static let yuvj420p = PixelFormat(AV_PIX_FMT_YUVJ420P)
  /// 10-bit 4:2:0.
  public static let yuv420p10 = PixelFormat(AV_PIX_FMT_YUV420P10LE)
  /// 8 bits each for red, green and blue, in separate planes.
  public static let rgbPlanes = PixelFormat(AV_PIX_FMT_GBRP)
  /// 8 bits each for red, green and blue, with three bytes per pixel.
  public static let rgb24 = PixelFormat(AV_PIX_FMT_RGB24)
  /// Four bytes per pixel, in the order blue, green, red and alpha.
  public static let bgra = PixelFormat(AV_PIX_FMT_BGRA)

  public var description: String { av_get_pix_fmt_name(raw).map { String(cString: $0) } ?? "none" }

  /// The bit depth of the first component.
  public var bitDepth: Int? { av_pix_fmt_desc_get(raw).map { Int($0.pointee.comp.0.depth) } }

  /// Whether the format implies full range, as the legacy JPEG formats do (such as `yuvj420p`).
  public var isFullRangeByName: Bool {
    [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P]
      .contains(raw)
  }

  public var isRGB: Bool {
    av_pix_fmt_desc_get(raw).map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 } ?? false
  }
}
