import ClipModel
import LibAV

/// Encodes pictures as image files with a color profile.
struct ImageCoder {
  let format: ImageFormat
  /// The quality from 1 to 100, on the scale of libjpeg and libwebp.
  let quality: Int

  /// The layout that `encode` requires for a size.
  func layout(_ size: PictureSize) -> FrameLayout {
    switch format {
    case .jpeg: .jpeg(size)
    case .png: .rgb(size)
    case .webp: .webp(size)
    }
  }

  /// - Parameter picture: a frame in `layout(_:)`.
  func encode(_ picture: Frame) throws -> [UInt8] {
    switch format {
    case .png: try StillFormat.png.encode(Frame(picture.rgbPicture(), as: .rgb24))
    case .jpeg: ColorProfile.added(toJPEG: try StillFormat.jpeg(quantizerScale: quantizerScale).encode(picture))
    case .webp: ColorProfile.added(toWebP: try StillFormat.webp(quality: quality).encode(picture))
    }
  }

  func encode(_ picture: RGBPicture) throws -> [UInt8] {
    guard format != .png else { return try StillFormat.png.encode(Frame(picture, as: .rgb24)) }
    // `TilePlan` ensures the even sides that 4:2:0 requires.
    return try encode(try FrameScaler(target: layout(picture.size)).scale(Frame(picture, as: .rgbPlanes)))
  }

  /// The scale of libav's JPEG encoder, 1 (best) to 31, with the same sharpness as libjpeg at this quality. libjpeg
  /// halves its quantizers from 75 to 87 and doubles them from 50 to 25. Fitted to frames from four clips.
  private var quantizerScale: Int {
    let quality = min(max(quality, 1), 100)
    return min(max(quality < 50 ? 450 / quality : 9 * (100 - quality) / 50, 1), 31)
  }
}
