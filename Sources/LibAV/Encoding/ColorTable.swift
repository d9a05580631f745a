import CFFmpeg
import CMediaShims

/// Three components of a colour as code values, in the unit that the user of it states.
public struct ColorCode: Equatable, Sendable {
  public var y: Double
  public var cb: Double
  public var cr: Double

  public init(y: Double, cb: Double, cr: Double) {
    self.y = y
    self.cb = cb
    self.cr = cr
  }
}

/// A conversion of colours, given by its results at the points of a grid: any curve at the same speed.
///
/// Read-only once made; any number of threads may use it at once.
public final class ColorTable: Sendable {
  private let luma: [UInt16]
  private let chroma: [UInt32]

  /// The pictures it takes: 4:2:0 with 16 bits. It makes 8-bit ones.
  public static let sourceFormat = PixelFormat(AV_PIX_FMT_YUV420P16LE)

  /// - Parameter convert: from 16-bit code values, 0 to 65536, to 8-bit ones with fractions; called once a point.
  public init(_ convert: (ColorCode) -> ColorCode) {
    let lumaCount = Int(BSC_TONE_LUMA_POINTS)
    let chromaCount = Int(BSC_TONE_CHROMA_POINTS)
    var luma: [UInt16] = []
    var chroma: [UInt32] = []
    luma.reserveCapacity(lumaCount * chromaCount * chromaCount + 1)
    chroma.reserveCapacity(lumaCount * chromaCount * chromaCount)
    // Eight bits behind the point. The largest code keeps room for the dither.
    func fixed(_ code: Double) -> UInt16 { UInt16((min(max(code, 0), 255) * 256).rounded()) }
    for y in 0..<lumaCount {
      for cb in 0..<chromaCount {
        for cr in 0..<chromaCount {
          let source = ColorCode(
            y: Double(y) * 65536 / Double(lumaCount - 1), cb: Double(cb) * 65536 / Double(chromaCount - 1),
            cr: Double(cr) * 65536 / Double(chromaCount - 1))
          let target = convert(source)
          luma.append(fixed(target.y))
          chroma.append(UInt32(fixed(target.cb)) | UInt32(fixed(target.cr)) << 16)
        }
      }
    }
    luma.append(0)  // the loop reads two values at once
    self.luma = luma
    self.chroma = chroma
  }

  /// Converts a 16-bit picture of even sides into an 8-bit one of the same size.
  /// - Parameters:
  ///   - isChromaCentered: chroma sits between two columns in both pictures, as in JPEG, not on the left one.
  ///   - usesVectors: false takes the plain loop; the bytes are the same.
  public func convert(
    _ source: Frame, into target: Frame, isChromaCentered: Bool, usesVectors: Bool = true
  ) throws(FFmpegError) {
    let isFitting =
      source.width == target.width && source.height == target.height && source.width % 2 == 0
      && source.height % 2 == 0 && source.pixelFormat == ColorTable.sourceFormat
      && [PixelFormat.yuv420p, .yuvj420p].contains(target.pixelFormat)
    guard isFitting, let y = planeData(source.pointer, 0), let cb = planeData(source.pointer, 1),
      let cr = planeData(source.pointer, 2), let targetY = planeData(target.pointer, 0),
      let targetCb = planeData(target.pointer, 1), let targetCr = planeData(target.pointer, 2)
    else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "ColorTable.convert", subject: "picture") }
    func samples(_ plane: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt16> {
      UnsafePointer(UnsafeMutableRawPointer(plane).assumingMemoryBound(to: UInt16.self))
    }
    var picture = bsc_tone_picture(
      source: (samples(y), samples(cb), samples(cr)),
      source_stride: (lineSize(source.pointer, 0), lineSize(source.pointer, 1), lineSize(source.pointer, 2)),
      target: (targetY, targetCb, targetCr),
      target_stride: (lineSize(target.pointer, 0), lineSize(target.pointer, 1), lineSize(target.pointer, 2)),
      width: Int32(source.width), height: Int32(source.height), is_chroma_centered: isChromaCentered)
    luma.withUnsafeBufferPointer { luma in
      chroma.withUnsafeBufferPointer { chroma in
        guard let lumaBase = luma.baseAddress, let chromaBase = chroma.baseAddress else { return }
        var table = bsc_tone_table(luma: lumaBase, chroma: chromaBase)
        if usesVectors {
          bsc_tone_map(&table, &picture, 0, picture.height)
        } else {
          bsc_tone_map_scalar(&table, &picture, 0, picture.height)
        }
      }
    }
  }
}
