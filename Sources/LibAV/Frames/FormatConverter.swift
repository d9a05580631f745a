import CFFmpeg

/// Converts frames from pixel formats that zimg doesn't support (NV12, packed, big-endian, paletted) and to pixel
/// formats that hardware encoders require, with libswscale. The size and colors don't change.
public final class FormatConverter {
  private let context: bsc_sws_ref
  private let width: Int
  private let height: Int
  private let source: PixelFormat
  private let target: PixelFormat

  /// Creates a converter to a planar format that zimg supports.
  public convenience init(width: Int, height: Int, from source: PixelFormat) throws(FFmpegError) {
    try self.init(width: width, height: height, from: source, to: FormatConverter.planarEquivalent(of: source))
  }

  /// Creates a converter to 4:4:4, because zimg requires even widths and heights for subsampled formats.
  public convenience init(fullChromaOf source: PixelFormat, width: Int, height: Int) throws(FFmpegError) {
    let full = source.isFullRangeByName ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUV444P
    try self.init(
      width: width, height: height, from: source,
      to: PixelFormat((source.bitDepth ?? 8) > 8 ? AV_PIX_FMT_YUV444P10LE : full))
  }

  init(width: Int, height: Int, from source: PixelFormat, to target: PixelFormat) throws(FFmpegError) {
    self.width = width
    self.height = height
    self.source = source
    self.target = target
    guard
      let context = sws_getContext(
        Int32(width), Int32(height), source.raw, Int32(width), Int32(height), target.raw,
        bsc_SWS_FLAGS, nil, nil, nil)
    else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "sws_getContext", subject: "\(source) frames") }
    self.context = context
  }

  deinit { sws_freeContext(context) }

  /// Returns whether a frame has this converter's source size and format. The converter would read past the end of a
  /// smaller frame.
  public func accepts(_ frame: Frame) -> Bool {
    frame.width == width && frame.height == height && frame.pixelFormat == source
  }

  /// Converts a frame to the target format, and copies its tags and timestamp.
  public func convert(_ frame: Frame) throws(FFmpegError) -> Frame {
    guard accepts(frame) else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "sws_scale", subject: "frame") }
    let result = try Frame(width: width, height: height, pixelFormat: target)
    let planes = (0..<4).map { UnsafePointer(frame.planeData($0)) }
    let status = sws_scale(
      context, planes, frame.strides, 0, Int32(height), result.pointer.pointee.extended_data, result.strides)
    try check(status, "sws_scale", on: "\(frame.pixelFormat) frame")
    try result.copyProperties(of: frame)
    return result
  }

  private static func planarEquivalent(of format: PixelFormat) -> PixelFormat {
    let isDeep = (format.bitDepth ?? 8) > 8
    if format.isRGB { return isDeep ? PixelFormat(AV_PIX_FMT_GBRP16LE) : .rgbPlanes }
    guard let descriptor = av_pix_fmt_desc_get(format.raw)?.pointee else { return .yuv420p }
    let (plain, deep) =
      switch (descriptor.log2_chroma_w, descriptor.log2_chroma_h) {
      case (1, 1): (AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV420P10LE)
      case (1, 0): (AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV422P10LE)
      default: (AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV444P10LE)
      }
    return PixelFormat(isDeep ? deep : plain)
  }
}
