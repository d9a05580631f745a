import CFFmpeg
import CMediaShims

/// Three components of a color as code values. The caller defines their unit.
public typealias ColorCode = (y: Double, cb: Double, cr: Double)

/// A color conversion as a lookup table, so that all conversions are equally fast.
///
/// Immutable; any number of threads may use it at once.
public final class ColorTable: Sendable {
  private let luma: [UInt16]
  private let chroma: [UInt32]

  /// The format of source frames: 16-bit 4:2:0. Target frames have 8 bits.
  public static let sourceFormat = PixelFormat(AV_PIX_FMT_YUV420P16LE)

  /// - Parameter convert: converts 16-bit code values, 0 to 65536, to 8-bit code values with fractions. Called once per
  ///   table point.
  public init(_ convert: (ColorCode) -> ColorCode) {
    let lumaCount = Int(BSC_TONE_LUMA_POINTS)
    let chromaCount = Int(BSC_TONE_CHROMA_POINTS)
    var luma: [UInt16] = []
    var chroma: [UInt32] = []
    luma.reserveCapacity(Int(BSC_TONE_POINTS) + 1)
    chroma.reserveCapacity(Int(BSC_TONE_POINTS))
    // 8 fraction bits. The limit leaves room for the dither.
    func fixed(_ code: Double) -> UInt16 { UInt16((min(max(code, 0), 255) * 256).rounded()) }
    func code(_ point: Int, of count: Int) -> Double { Double(point) * 65536 / Double(count - 1) }
    for y in 0..<lumaCount {
      for cb in 0..<chromaCount {
        for cr in 0..<chromaCount {
          let target = convert(
            (y: code(y, of: lumaCount), cb: code(cb, of: chromaCount), cr: code(cr, of: chromaCount)))
          luma.append(fixed(target.y))
          chroma.append(UInt32(fixed(target.cb)) | UInt32(fixed(target.cr)) << 16)
        }
      }
    }
    luma.append(0)  // the C loop reads two values at once
    self.luma = luma
    self.chroma = chroma
  }

  /// Converts a 16-bit frame with an even width and height to an 8-bit frame of the same size.
  /// - Parameters:
  ///   - isChromaCentered: whether chroma samples are between two columns in both frames, as in JPEG, instead of in the
  ///     left column.
  ///   - usesVectors: whether vector instructions are used. The scalar loop has the same result.
  public func convert(
    _ source: Frame, into target: Frame, isChromaCentered: Bool, usesVectors: Bool = true
  ) throws(FFmpegError) {
    let fits =
      source.width == target.width && source.height == target.height && source.width % 2 == 0
      && source.height % 2 == 0 && source.pixelFormat == ColorTable.sourceFormat
      && [PixelFormat.yuv420p, .yuvj420p].contains(target.pixelFormat)
    guard fits, let y = source.planeData(0), let cb = source.planeData(1), let cr = source.planeData(2),
      let targetY = target.planeData(0), let targetCb = target.planeData(1), let targetCr = target.planeData(2)
    else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "ColorTable.convert", subject: "frame") }
    func samples(_ plane: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt16> {
      UnsafePointer(UnsafeMutableRawPointer(plane).assumingMemoryBound(to: UInt16.self))
    }
    var picture = bsc_tone_picture(
      source: (samples(y), samples(cb), samples(cr)),
      source_stride: (source.stride(0), source.stride(1), source.stride(2)), target: (targetY, targetCb, targetCr),
      target_stride: (target.stride(0), target.stride(1), target.stride(2)), width: Int32(source.width),
      height: Int32(source.height), is_chroma_centered: isChromaCentered)
    luma.withUnsafeBufferPointer { luma in
      chroma.withUnsafeBufferPointer { chroma in
        guard let lumaBase = luma.baseAddress, let chromaBase = chroma.baseAddress else { return }
        var table = bsc_tone_table(luma: lumaBase, chroma: chromaBase)
        (usesVectors ? bsc_tone_map : bsc_tone_map_scalar)(&table, &picture, 0, picture.height)
      }
    }
  }
}
