import CFFmpeg
import CZimg
public import ClipModel

/// A zimg call that failed.
public struct ZimgError: ExplainedError, Equatable {
  public var call: String
  public var reason: String

  init(call: String) {
    self.call = call
    reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress else { return "unknown" }
      _ = zimg_get_last_error(base, buffer.count)
      return String(cString: base)
    }
  }

  init(call: String, reason: String) {
    self.call = call
    self.reason = reason
  }

  public var explanation: Explanation {
    Explanation(
      id: "clip.conversion-failed", what: "cannot convert a frame", why: "\(reason) (\(call))", facts: ["call": call],
      category: .unjudged)
  }
}

/// One conversion of planar pictures in one pass: size, colour, range, depth and chroma subsampling, by zimg.
///
/// A graph is read-only while it runs, but its scratch memory is not: one thread at a time.
public final class ZimgGraph {
  private let graph: OpaquePointer
  private let scratch: UnsafeMutableRawPointer
  public let source: PictureLayout
  public let target: PictureLayout

  /// zimg reads and writes whole vectors: planes begin and rows advance at multiples of this many bytes.
  private static let alignment = 64

  public init(from source: PictureLayout, to target: PictureLayout) throws(ZimgError) {
    guard var sourceFormat = ZimgGraph.format(source), var targetFormat = ZimgGraph.format(target) else {
      throw ZimgError(
        call: "zimg_image_format", reason: "no way from \(source.pixelFormat) to \(target.pixelFormat)")
    }
    var parameters = zimg_graph_builder_params()
    zimg_graph_builder_params_default(&parameters, bsc_ZIMG_API_VERSION)
    parameters.resample_filter = ZIMG_RESIZE_BICUBIC
    parameters.resample_filter_uv = ZIMG_RESIZE_BICUBIC
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
    scratch = UnsafeMutableRawPointer.allocate(
      byteCount: max(byteCount, 1), alignment: ZimgGraph.alignment)
  }

  deinit {
    zimg_filter_graph_free(graph)
    scratch.deallocate()
  }

  /// Converts a frame of the source layout into a frame of the target layout, whose buffers must be its own.
  public func convert(_ input: Frame, into output: Frame) throws(ZimgError) {
    // The graph was built for one geometry; it would read another one's planes beyond their ends.
    guard input.fits(source), output.fits(target) else {
      throw ZimgError(call: "convert", reason: "the picture is not of the size it was announced with")
    }
    guard ZimgGraph.isAligned(input), ZimgGraph.isAligned(output) else {
      throw ZimgError(call: "convert", reason: "the picture is not aligned in memory")
    }
    var from = zimg_image_buffer_const()
    from.version = bsc_ZIMG_API_VERSION
    var to = zimg_image_buffer()
    to.version = bsc_ZIMG_API_VERSION
    for (position, index) in ZimgGraph.planeOrder(of: source.pixelFormat).enumerated() {
      guard let data = planeData(input.pointer, index) else { throw ZimgError(call: "plane", reason: "missing plane") }
      bsc_zimg_set_source_plane(&from, Int32(position), data, lineSize(input.pointer, index))
    }
    for (position, index) in ZimgGraph.planeOrder(of: target.pixelFormat).enumerated() {
      guard let data = planeData(output.pointer, index) else { throw ZimgError(call: "plane", reason: "missing plane") }
      bsc_zimg_set_target_plane(&to, Int32(position), data, lineSize(output.pointer, index))
    }
    guard zimg_filter_graph_process(graph, &from, &to, scratch, nil, nil, nil, nil) == ZIMG_ERROR_SUCCESS else {
      throw ZimgError(call: "zimg_filter_graph_process")
    }
    output.tag(as: target)
  }

  /// zimg can take the frame as it lies in memory. Cropped frames may begin anywhere.
  public static func isAligned(_ frame: Frame) -> Bool {
    planeOrder(of: frame.pixelFormat).allSatisfy { index in
      guard let data = planeData(frame.pointer, index) else { return false }
      return Int(bitPattern: data) % 32 == 0 && lineSize(frame.pointer, index) % 32 == 0
    }
  }

  /// Its sides are whole numbers of chroma samples, as zimg wants them.
  public static func hasWholeChroma(_ frame: Frame) -> Bool {
    guard let parts = components(of: frame.pixelFormat) else { return true }
    return frame.width % (1 << parts.subsampleWidth) == 0 && frame.height % (1 << parts.subsampleHeight) == 0
  }

  /// zimg knows the pixel format: planar, native byte order, 8 to 16 bits or 32-bit float.
  public static func supports(_ format: PixelFormat) -> Bool { components(of: format) != nil }

  private static func planeOrder(of format: PixelFormat) -> [Int] {
    guard let descriptor = av_pix_fmt_desc_get(format.raw) else { return [] }
    if descriptor.pointee.nb_components < 3 { return [0] }
    // libav stores planar RGB as G, B, R.
    return format.isRGB ? [2, 0, 1] : [0, 1, 2]
  }

  private struct Components {
    var family: zimg_color_family_e
    var type: zimg_pixel_type_e
    var depth: UInt32
    var subsampleWidth: UInt32
    var subsampleHeight: UInt32
  }

  private static func components(of format: PixelFormat) -> Components? {
    guard let descriptor = av_pix_fmt_desc_get(format.raw)?.pointee else { return nil }
    let flags = descriptor.flags
    let unwanted =
      UInt64(AV_PIX_FMT_FLAG_BE) | UInt64(AV_PIX_FMT_FLAG_PAL) | UInt64(AV_PIX_FMT_FLAG_BITSTREAM)
      | UInt64(AV_PIX_FMT_FLAG_HWACCEL) | UInt64(AV_PIX_FMT_FLAG_BAYER) | UInt64(AV_PIX_FMT_FLAG_ALPHA)
    guard flags & unwanted == 0 else { return nil }
    let count = descriptor.nb_components
    let isPlanar = flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
    guard count == 1 || (count == 3 && isPlanar) else { return nil }
    // One component a plane, lying at the bottom of its bytes: leaves out NV12, P010 and the packed ones.
    let first = descriptor.comp.0
    guard first.shift == 0 else { return nil }
    if count == 3 {
      let planes = [descriptor.comp.0.plane, descriptor.comp.1.plane, descriptor.comp.2.plane]
      guard Set(planes).count == 3 else { return nil }
    }
    let isFloat = flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0
    let type: zimg_pixel_type_e
    switch (isFloat, first.depth) {
    case (true, 32): type = ZIMG_PIXEL_FLOAT
    case (false, 8): type = ZIMG_PIXEL_BYTE
    case (false, 9...16): type = ZIMG_PIXEL_WORD
    default: return nil
    }
    let isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    return Components(
      family: count == 1 ? ZIMG_COLOR_GREY : isRGB ? ZIMG_COLOR_RGB : ZIMG_COLOR_YUV, type: type,
      depth: UInt32(first.depth), subsampleWidth: UInt32(descriptor.log2_chroma_w),
      subsampleHeight: UInt32(descriptor.log2_chroma_h))
  }

  private static func format(_ layout: PictureLayout) -> zimg_image_format? {
    guard let components = components(of: layout.pixelFormat) else { return nil }
    var format = zimg_image_format()
    zimg_image_format_default(&format, bsc_ZIMG_API_VERSION)
    format.width = UInt32(layout.width)
    format.height = UInt32(layout.height)
    format.pixel_type = components.type
    format.subsample_w = components.subsampleWidth
    format.subsample_h = components.subsampleHeight
    format.color_family = components.family
    format.matrix_coefficients =
      zimg_matrix_coefficients_e(components.family == ZIMG_COLOR_RGB ? 0 : layout.matrix.rawValue)
    format.transfer_characteristics = zimg_transfer_characteristics_e(layout.transfer.rawValue)
    format.color_primaries = zimg_color_primaries_e(layout.primaries.rawValue)
    format.depth = components.depth
    format.pixel_range = layout.isFullRange ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED
    format.chroma_location = zimg_chroma_location_e(layout.chromaLocation.rawValue)
    return format
  }
}
