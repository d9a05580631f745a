import CFFmpeg

/// Changes only how samples lie in memory, by libswscale: for the pixel formats that zimg lacks (NV12, packed, big
/// endian, paletted), and for those that hardware wants. Size and colour stay.
public final class FormatConverter {
  private let context: bsc_sws_ref
  private let width: Int
  private let height: Int
  private let source: PixelFormat
  private let target: PixelFormat

  /// To a planar format that zimg takes.
  public convenience init(width: Int, height: Int, from source: PixelFormat) throws(FFmpegError) {
    try self.init(width: width, height: height, from: source, to: FormatConverter.planarEquivalent(of: source))
  }

  /// To one with a chroma sample for every pixel: zimg takes subsampled pictures of even sides only.
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
    else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "sws_getContext", subject: "\(source) pictures") }
    self.context = context
  }

  deinit { sws_freeContext(context) }

  /// The frame has the size and format that this converter was made for; another one would be read beyond its end.
  public func takes(_ frame: Frame) -> Bool {
    frame.width == width && frame.height == height && frame.pixelFormat == source
  }

  /// The same picture in the other format, with the source's tags and timestamp.
  public func convert(_ frame: Frame) throws(FFmpegError) -> Frame {
    guard takes(frame) else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "sws_scale", subject: "picture") }
    let result = try Frame(width: width, height: height, pixelFormat: target)
    let status = withUnsafeBytes(of: &frame.pointer.pointee.data) { data in
      withUnsafeBytes(of: &frame.pointer.pointee.linesize) { strides in
        withUnsafeBytes(of: &result.pointer.pointee.data) { resultData in
          withUnsafeBytes(of: &result.pointer.pointee.linesize) { resultStrides in
            sws_scale(
              context, data.assumingMemoryBound(to: UnsafePointer<UInt8>?.self).baseAddress,
              strides.assumingMemoryBound(to: Int32.self).baseAddress, 0, Int32(height),
              resultData.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self).baseAddress,
              resultStrides.assumingMemoryBound(to: Int32.self).baseAddress)
          }
        }
      }
    }
    try check(status, "sws_scale", on: "\(frame.pixelFormat) picture")
    try check(av_frame_copy_props(result.pointer, frame.pointer), "av_frame_copy_props", on: "picture")
    return result
  }

  private static func planarEquivalent(of format: PixelFormat) -> PixelFormat {
    let depth = format.bitDepth ?? 8
    if format.isRGB { return PixelFormat(depth > 8 ? AV_PIX_FMT_GBRP16LE : AV_PIX_FMT_GBRP) }
    guard let descriptor = av_pix_fmt_desc_get(format.raw)?.pointee else { return .yuv420p }
    switch (descriptor.log2_chroma_w, descriptor.log2_chroma_h, depth > 8) {
    case (1, 1, false): return .yuv420p
    case (1, 1, true): return PixelFormat(AV_PIX_FMT_YUV420P10LE)
    case (1, 0, false): return PixelFormat(AV_PIX_FMT_YUV422P)
    case (1, 0, true): return PixelFormat(AV_PIX_FMT_YUV422P10LE)
    case (_, _, false): return PixelFormat(AV_PIX_FMT_YUV444P)
    case (_, _, true): return PixelFormat(AV_PIX_FMT_YUV444P10LE)
    }
  }
}

extension Frame {
  /// The same picture again: buffers shared, timestamp of its own.
  public func copy() throws(FFmpegError) -> Frame {
    let copy = try Frame()
    try check(av_frame_ref(copy.pointer, pointer), "av_frame_ref", on: "picture")
    return copy
  }

  /// The lines of one field alone: a still picture without the combs of a moving one. Half as high, buffers shared.
  public func upperField() throws(FFmpegError) -> Frame {
    let field = try copy()
    for plane in 0..<4 { setLineSize(field.pointer, plane, lineSize(pointer, plane) * 2) }
    field.pointer.pointee.height = pointer.pointee.height / 2
    return field
  }

  /// A copy whose planes are aligned as `ZimgGraph` wants them.
  public func alignedCopy() throws(FFmpegError) -> Frame {
    let copy = try Frame(width: width, height: height, pixelFormat: pixelFormat)
    try check(av_frame_copy(copy.pointer, pointer), "av_frame_copy", on: "picture")
    try check(av_frame_copy_props(copy.pointer, pointer), "av_frame_copy_props", on: "picture")
    return copy
  }
}
