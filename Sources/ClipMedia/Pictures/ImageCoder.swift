import ClipModel
import LibAV

/// Encodes pictures as image files with a color profile.
struct ImageCoder {
  let format: ImageFormat
  /// The quality on the scale of libjpeg and libwebp, from 1 to 100.
  let quality: Int

  /// Returns the frame layout that `encode` requires for a picture size.
  func layout(_ size: PictureSize) -> FrameLayout {
    switch format {
    case .jpeg: .jpeg(size)
    case .png: .rgb(size)
    case .webp: .webp(size)
    }
  }

  /// - Parameter picture: a frame in the layout that `layout(_:)` returns.
  func encode(_ picture: Frame) throws -> [UInt8] {
    switch format {
    case .png: try StillFormat.png.encode(Frame(picture.rgbPicture(), as: .rgb24))
    case .jpeg: ColorProfile.embedProfile(inJPEG: try StillFormat.jpeg(quantizerScale: quantizerScale).encode(picture))
    case .webp: ColorProfile.embedProfile(inWebP: try StillFormat.webp(quality: quality).encode(picture))
    }
  }

  func encode(_ picture: RGBPicture) throws -> [UInt8] {
    guard format != .png else { return try StillFormat.png.encode(Frame(picture, as: .rgb24)) }
    // `TilePlan` ensures that the width and height are even, as 4:2:0 requires.
    return try encode(try FrameScaler(target: layout(picture.size)).scale(Frame(picture, as: .rgbPlanes)))
  }

  /// The quantizer scale of libav's JPEG encoder, from 1 (best) to 31, that results in the same sharpness as libjpeg at
  /// this quality. The formula was fitted to frames from four clips.
  private var quantizerScale: Int {
    let quality = min(max(quality, 1), 100)
    return min(max(quality < 50 ? 450 / quality : 9 * (100 - quality) / 50, 1), 31)
  }
}
