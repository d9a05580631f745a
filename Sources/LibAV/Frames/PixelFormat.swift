import CFFmpeg

/// How a picture's samples lie in memory: libav's `AVPixelFormat`.
public struct PixelFormat: Equatable, Sendable, CustomStringConvertible {
  let raw: AVPixelFormat

  init(_ raw: AVPixelFormat) { self.raw = raw }

  /// By libav's name: `yuv420p10le`.
  public init?(name: String) {
    let found = av_get_pix_fmt(name)
    guard found != AV_PIX_FMT_NONE else { return nil }
    raw = found
  }

  /// 8-bit 4:2:0, limited range by convention.
  public static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
  /// The same with full range by name, as JPEG has it.
  public static let yuvj420p = PixelFormat(AV_PIX_FMT_YUVJ420P)

  /// 10-bit 4:2:0.
  public static let yuv420p10 = PixelFormat(AV_PIX_FMT_YUV420P10LE)

  public var name: String {
    guard let name = av_get_pix_fmt_name(raw) else { return "none" }
    return String(cString: name)
  }

  public var description: String { name }

  /// Bits of the first component.
  public var bitDepth: Int? {
    guard let descriptor = av_pix_fmt_desc_get(raw) else { return nil }
    return Int(descriptor.pointee.comp.0.depth)
  }

  /// Full range by name: JPEG's old formats (`yuvj420p`).
  public var isFullRangeByName: Bool {
    [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P]
      .contains(raw)
  }

  public var isRGB: Bool {
    guard let descriptor = av_pix_fmt_desc_get(raw) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
  }
}
