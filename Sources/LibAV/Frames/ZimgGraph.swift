import CFFmpeg
import CZimg
public import ClipModel

/// A zimg call that failed.
public struct ZimgError: ExplainedError, Equatable {
  public var call: String
  public var reason: String

  public var explanation: Explanation {
    Explanation(
      id: "clip.conversion-failed", what: "cannot convert a frame", why: "\(reason) (\(call))", facts: ["call": call],
      category: .unjudged)
  }
}

extension ZimgError {
  /// Creates an error whose reason is zimg's last error message on this thread.
  init(call: String) {
    self.init(
      call: call,
      reason: withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let base = buffer.baseAddress else { return "unknown" }
        _ = zimg_get_last_error(base, buffer.count)
        return String(cString: base)
      })
  }
}

/// Converts the size, color space, range, bit depth and chroma subsampling of planar frames in one pass, with zimg.
///
/// Use a graph on only one thread at a time, because it has scratch memory.
public final class ZimgGraph {
  private let graph: OpaquePointer
  private let scratch: UnsafeMutableRawPointer
  public let source: FrameLayout
  public let target: FrameLayout

  /// The required alignment of planes and rows in bytes, because zimg reads and writes entire vectors.
  private static let alignment = 64

  public init(from source: FrameLayout, to target: FrameLayout) throws(ZimgError) {
    guard var sourceFormat = ZimgGraph.makeImageFormat(source), var targetFormat = ZimgGraph.makeImageFormat(target)
    else {
      throw ZimgError(
        call: "zimg_image_format", reason: "converting \(source.pixelFormat) to \(target.pixelFormat) is not supported")
    }
    var parameters = zimg_graph_builder_params()
    zimg_graph_builder_params_default(&parameters, bsc_ZIMG_API_VERSION)
    // B 0 and C 0.75, as in OpenCV, is the cubic closest to Lanczos (Docs/performance.md).
    // zimg's default, B and C of 1/3, is softer.
    parameters.resample_filter = ZIMG_RESIZE_BICUBIC
    parameters.filter_param_a = 0
    parameters.filter_param_b = 0.75
    parameters.resample_filter_uv = ZIMG_RESIZE_BICUBIC
    parameters.filter_param_a_uv = 0
    parameters.filter_param_b_uv = 0.75
    let losesDepth = (source.pixelFormat.bitDepth ?? 8) > (target.pixelFormat.bitDepth ?? 8)
    parameters.dither_type = losesDepth ? ZIMG_DITHER_ORDERED : ZIMG_DITHER_NONE
    parameters.cpu_type = ZIMG_CPU_AUTO
    guard let graph = zimg_filter_graph_build(&sourceFormat, &targetFormat, &parameters) else {
      throw ZimgError(call: "zimg_filter_graph_build")
    }
    var byteCount = 0
    guard zimg_filter_graph_get_tmp_size(graph, &byteCount) == ZIMG_ERROR_SUCCESS else {
      zimg_filter_graph_free(graph)
      throw ZimgError(call: "zimg_filter_graph_get_tmp_size")
    }
    self.graph = graph
    self.source = source
    self.target = target
    scratch = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: ZimgGraph.alignment)
  }

  deinit {
    zimg_filter_graph_free(graph)
    scratch.deallocate()
  }

  /// Converts a frame in the source layout and stores the result in a frame in the target layout. The buffers of the
  /// target frame must not be shared.
  public func convert(_ input: Frame, into output: Frame) throws(ZimgError) {
    // The graph would read past the end of a smaller frame's planes.
    guard input.matches(source), output.matches(target) else {
      throw ZimgError(call: "convert", reason: "the frame's size or format doesn't match the declared size or format")
    }
    guard ZimgGraph.isAligned(input), ZimgGraph.isAligned(output) else {
      throw ZimgError(call: "convert", reason: "the frame is not aligned in memory")
    }
    var from = zimg_image_buffer_const()
    from.version = bsc_ZIMG_API_VERSION
    for (position, plane) in ZimgGraph.planes(of: input).enumerated() {
      bsc_zimg_set_source_plane(&from, Int32(position), plane.data, plane.stride)
    }
    var to = zimg_image_buffer()
    to.version = bsc_ZIMG_API_VERSION
    for (position, plane) in ZimgGraph.planes(of: output).enumerated() {
      bsc_zimg_set_target_plane(&to, Int32(position), plane.data, plane.stride)
    }
    guard zimg_filter_graph_process(graph, &from, &to, scratch, nil, nil, nil, nil) == ZIMG_ERROR_SUCCESS else {
      throw ZimgError(call: "zimg_filter_graph_process")
    }
    output.tag(as: target)
  }

  /// Returns whether zimg can read the frame without a copy. The planes of cropped frames may start at any address.
  public static func isAligned(_ frame: Frame) -> Bool {
    planes(of: frame).allSatisfy { $0.data != nil && Int(bitPattern: $0.data) % 32 == 0 && $0.stride % 32 == 0 }
  }

  /// Returns whether the width and height are multiples of the chroma subsampling factors, as zimg requires.
  public static func hasWholeChroma(_ frame: Frame) -> Bool {
    guard let format = imageFormat(of: frame.pixelFormat) else { return true }
    return frame.width % (1 << format.subsample_w) == 0 && frame.height % (1 << format.subsample_h) == 0
  }

  /// Returns whether zimg supports the pixel format. Supported formats are planar, have native byte order, and have 8
  /// to 16 bits or 32-bit floats per sample.
  public static func supports(_ format: PixelFormat) -> Bool { imageFormat(of: format) != nil }

  /// Returns the planes in the order in which zimg expects them.
  private static func planes(of frame: Frame) -> [(data: UnsafeMutablePointer<UInt8>?, stride: Int)] {
    guard let descriptor = av_pix_fmt_desc_get(frame.pixelFormat.raw) else { return [] }
    // libav stores planar RGB in the order G, B, R.
    let order = descriptor.pointee.nb_components < 3 ? [0] : frame.pixelFormat.isRGB ? [2, 0, 1] : [0, 1, 2]
    return order.map { (frame.planeData($0), frame.stride($0)) }
  }

  /// Returns the zimg properties for a pixel format, or `nil` if zimg doesn't support the format.
  private static func imageFormat(of pixelFormat: PixelFormat) -> zimg_image_format? {
    guard let descriptor = av_pix_fmt_desc_get(pixelFormat.raw)?.pointee else { return nil }
    let unsupported =
      AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
      | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_ALPHA
    func hasFlags(_ flags: Int32) -> Bool { descriptor.flags & UInt64(flags) != 0 }
    let (first, second, third, _) = descriptor.comp
    // Require one component per plane, in the low bits. This excludes NV12, P010 and packed formats.
    let isGray = descriptor.nb_components == 1
    let hasThreePlanes =
      descriptor.nb_components == 3 && hasFlags(AV_PIX_FMT_FLAG_PLANAR)
      && Set([first.plane, second.plane, third.plane]).count == 3
    guard !hasFlags(unsupported), isGray || hasThreePlanes, first.shift == 0 else { return nil }
    var format = zimg_image_format()
    zimg_image_format_default(&format, bsc_ZIMG_API_VERSION)
    switch (hasFlags(AV_PIX_FMT_FLAG_FLOAT), first.depth) {
    case (true, 32): format.pixel_type = ZIMG_PIXEL_FLOAT
    case (false, 8): format.pixel_type = ZIMG_PIXEL_BYTE
    case (false, 9...16): format.pixel_type = ZIMG_PIXEL_WORD
    default: return nil
    }
    format.color_family = isGray ? ZIMG_COLOR_GREY : pixelFormat.isRGB ? ZIMG_COLOR_RGB : ZIMG_COLOR_YUV
    format.depth = UInt32(first.depth)
    format.subsample_w = UInt32(descriptor.log2_chroma_w)
    format.subsample_h = UInt32(descriptor.log2_chroma_h)
    return format
  }

  private static func makeImageFormat(_ layout: FrameLayout) -> zimg_image_format? {
    guard var format = imageFormat(of: layout.pixelFormat) else { return nil }
    format.width = UInt32(layout.width)
    format.height = UInt32(layout.height)
    let matrix = format.color_family == ZIMG_COLOR_RGB ? .rgb : layout.matrix
    format.matrix_coefficients = zimg_matrix_coefficients_e(Int32(matrix.rawValue))
    format.transfer_characteristics = zimg_transfer_characteristics_e(Int32(layout.transfer.rawValue))
    format.color_primaries = zimg_color_primaries_e(Int32(layout.primaries.rawValue))
    format.pixel_range = layout.isFullRange ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED
    // The values start at 0 in zimg and at 1 in libav.
    format.chroma_location = zimg_chroma_location_e(Int32(layout.chromaLocation.rawValue) - 1)
    return format
  }
}
