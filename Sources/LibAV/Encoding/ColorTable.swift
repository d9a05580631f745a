import CFFmpeg
import CMediaShims

/// The three components of a color as code values. The caller defines their scale.
public typealias ColorCode = (y: Double, cb: Double, cr: Double)

/// A lookup table for a color conversion, so that all conversions are equally fast.
///
/// A color table is immutable and can be used on multiple threads at the same time.
public final class ColorTable: Sendable {
  private let luma: [UInt16]
  private let chroma: [UInt32]

  /// The pixel format of source frames, which is 16-bit 4:2:0. Target frames are 8-bit.
  public static let sourceFormat = PixelFormat(AV_PIX_FMT_YUV420P16LE)

  /// - Parameter convert: converts 16-bit code values, from 0 to 65536, to fractional 8-bit code values. Called once
  ///   for each point in the table.
  public init(_ convert: (ColorCode) -> ColorCode) {
    let lumaCount = Int(BSC_TONE_LUMA_POINTS)
    let chromaCount = Int(BSC_TONE_CHROMA_POINTS)
    var luma: [UInt16] = []
    var chroma: [UInt32] = []
    luma.reserveCapacity(Int(BSC_TONE_POINTS) + 1)
    chroma.reserveCapacity(Int(BSC_TONE_POINTS))
    // Values have 8 fraction bits. The limit leaves room for dithering.
    func fixedPoint(_ code: Double) -> UInt16 { UInt16((min(max(code, 0), 255) * 256).rounded()) }
    func codeValue(_ point: Int, of count: Int) -> Double { Double(point) * 65536 / Double(count - 1) }
    for y in 0..<lumaCount {
      for cb in 0..<chromaCount {
        for cr in 0..<chromaCount {
          let target = convert(
            (y: codeValue(y, of: lumaCount), cb: codeValue(cb, of: chromaCount), cr: codeValue(cr, of: chromaCount)))
          luma.append(fixedPoint(target.y))
          chroma.append(UInt32(fixedPoint(target.cb)) | UInt32(fixedPoint(target.cr)) << 16)
        }
      }
    }
    luma.append(0)  // the C loop reads two values at once
    self.luma = luma
    self.chroma = chroma
  }

  /// Converts a 16-bit frame to an 8-bit frame of the same size. The width and height must be even.
  /// - Parameters:
  ///   - isChromaCentered: whether chroma samples are centered between two columns in both frames, as in JPEG, instead
  ///     of aligned with the left column.
  ///   - usesVectors: whether to use vector instructions. The result is the same without them.
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
