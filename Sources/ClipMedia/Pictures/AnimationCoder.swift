import ClipModel
import LibAV

/// Encodes an animation within a file size limit. Reduces first the quality, then the frame rate, then the image size
/// until the file fits.
struct AnimationCoder {
  struct Frame {
    var seconds: Double
    var picture: RGBPicture
  }

  struct EncodedAnimation {
    var bytes: [UInt8]
    var size: PictureSize
    /// A note about the reductions that were necessary.
    var note: String?
  }

  /// The animation's frames, with times relative to the start of the animation.
  let frames: [Frame]
  let framesPerSecond: Double
  let byteLimit: Int64
  /// The clip's name, for error messages.
  let name: String

  /// The encoder settings of one attempt. Each attempt results in a smaller file than the previous one.
  private struct Attempt {
    /// The WebP quality, 1 to 100.
    var quality: Int
    /// The number of colors in a GIF palette.
    var colorCount: Int
    /// Only every n-th frame is kept, where n is this divisor.
    var divisor = 1
    var scale = 1.0

    var reductions: [String] {
      ["fewer colors and less detail"] + (divisor > 1 ? ["fewer frames"] : []) + (scale < 1 ? ["a smaller image"] : [])
    }
  }

  /// The attempts, in order. A GIF has at most 255 colors, because the last palette entry represents unchanged pixels.
  private static let attempts: [Attempt] =
    [
      Attempt(quality: 75, colorCount: 255), Attempt(quality: 67, colorCount: 192),
      Attempt(quality: 60, colorCount: 128), Attempt(quality: 52, colorCount: 96),
      Attempt(quality: 45, colorCount: 64), Attempt(quality: 45, colorCount: 64, divisor: 2),
    ] + [0.8, 0.64, 0.5, 0.4].map { Attempt(quality: 45, colorCount: 64, divisor: 2, scale: $0) }

  /// - Throws: `ClipMediaError.pictureTooBig` if even the smallest result exceeds the limit.
  func encode(_ format: AnimationFormat) throws -> EncodedAnimation {
    var smallest = Int64.max
    for (index, attempt) in Self.attempts.enumerated() {
      var coded = try encode(format, attempt)
      smallest = min(smallest, Int64(coded.bytes.count))
      guard Int64(coded.bytes.count) <= byteLimit else { continue }
      if index > 0 {
        let reductions = attempt.reductions.joined(separator: ", ")
        coded.note = "reduced to fit the \(ByteCount.text(byteLimit)) limit: \(reductions)"
      }
      return coded
    }
    throw ClipMediaError.pictureTooBig(name: name, byteCount: smallest, limit: byteLimit)
  }

  private func encode(_ format: AnimationFormat, _ attempt: Attempt) throws -> EncodedAnimation {
    let kept = frames.enumerated().filter { $0.offset % attempt.divisor == 0 }.map(\.element)
    let pictures = kept.map { frame in
      attempt.scale < 1 ? frame.picture.scaled(to: frame.picture.size.scaled(by: attempt.scale)) : frame.picture
    }
    let size = pictures.first?.size ?? PictureSize(width: 0, height: 0)
    let coder: AnimationEncoder.Format =
      switch format {
      case .gif: .gif
      case .webp: .webp(quality: attempt.quality)
      }
    let ticksPerSecond = 1 / coder.timeBase.value
    let interval = Double(attempt.divisor) / framesPerSecond * ticksPerSecond
    let encoder = try AnimationEncoder(coder, lastDuration: Int64(interval.rounded()))
    var mapper = format == .gif ? PaletteMapper(ColorPalette(for: pictures, count: attempt.colorCount)) : nil
    var last: Int64 = -1
    for (frame, picture) in zip(kept, pictures) {
      // Timestamps must be unique and ascending.
      last = max(Int64((frame.seconds * ticksPerSecond).rounded()), last + 1)
      try encoder.add(try makeEncoderFrame(picture, &mapper), ticks: last)
    }
    let bytes = try encoder.finish()
    return EncodedAnimation(bytes: format == .webp ? ColorProfile.embedProfile(inWebP: bytes) : bytes, size: size)
  }

  private func makeEncoderFrame(_ picture: RGBPicture, _ mapper: inout PaletteMapper?) throws -> LibAV.Frame {
    // Ordered dithering is the same in every frame, so static areas take up no space.
    guard let indexes = mapper?.indexes(of: picture, dithering: .ordered), let palette = mapper?.palette else {
      return try LibAV.Frame(picture, as: .bgra)
    }
    return try LibAV.Frame(
      indexes: indexes, palette: palette.colors.flatMap { [$0.red, $0.green, $0.blue] }, width: picture.width,
      height: picture.height)
  }
}
