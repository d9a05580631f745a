import ClipModel
import LibAV

/// Pictures to the bytes of a file that says what its colours mean.
struct ImageCoder {
  let format: ImageFormat
  /// 1 to 100, as users of libjpeg and libwebp know it.
  let quality: Int

  /// The layout that a picture of some size has to have.
  func layout(_ size: PictureSize) -> PictureLayout {
    switch format {
    case .jpeg: FrameScaler.jpegLayout(size)
    case .png: .rgb(size)
    case .webp: FrameScaler.webpLayout(size)
    }
  }

  /// - Parameter picture: in `layout(_:)`.
  func encode(_ picture: Frame) throws -> [UInt8] {
    switch format {
    case .png: try StillFormat.png.encode(Frame(picture.rgbPicture(), as: .rgb24))
    case .jpeg: ColorProfile.added(toJPEG: try StillFormat.jpeg(quantizerScale: quantizerScale).encode(picture))
    case .webp: ColorProfile.added(toWebP: try StillFormat.webp(quality: quality).encode(picture))
    }
  }

  func encode(_ picture: RGBPicture) throws -> [UInt8] {
    guard format != .png else { return try StillFormat.png.encode(Frame(picture, as: .rgb24)) }
    // 4:2:0 pictures of ours have even sides; `TilePlan` sees to it.
    return try encode(try FrameScaler(target: layout(picture.size)).scale(Frame(picture, as: .rgbPlanes)))
  }

  /// Of libav's JPEG encoder, 1 (best) to 31: such that a picture is as sharp as libjpeg's of that quality, which halves
  /// its quantizers from 75 to 87 and doubles them from 50 to 25. Fitted on frames of four clips.
  private var quantizerScale: Int {
    let quality = min(max(quality, 1), 100)
    return min(max(quality < 50 ? 450 / quality : 9 * (100 - quality) / 50, 1), 31)
  }
}
