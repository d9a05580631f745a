import ClipModel
import LibAV

/// Moving pictures to the bytes of a file of limited size: plainer, then choppier, then smaller, until it fits.
struct AnimationCoder {
  struct Frame {
    /// From the start of the animation.
    var seconds: Double
    var picture: RGBPicture
  }

  struct Coded {
    var bytes: [UInt8]
    var size: PictureSize
    /// What had to be given up.
    var note: String?
  }

  let frames: [Frame]
  let framesPerSecond: Double
  let byteLimit: Int64
  /// Of the clip, for errors.
  let name: String

  /// One way to store it; each is smaller than the one before.
  private struct Attempt {
    /// WebP's quality, 1 to 100.
    var quality: Int
    /// Of GIF's palette.
    var colorCount: Int
    /// Of so many frames one is kept.
    var divisor = 1
    var scale = 1.0

    var words: [String] {
      (divisor > 1 ? ["fewer frames"] : []) + (scale < 1 ? ["a smaller picture"] : [])
    }
  }

  /// 255: the palette's last entry says "as before".
  private static let attempts: [Attempt] =
    [
      Attempt(quality: 75, colorCount: 255), Attempt(quality: 67, colorCount: 192),
      Attempt(quality: 60, colorCount: 128), Attempt(quality: 52, colorCount: 96),
      Attempt(quality: 45, colorCount: 64), Attempt(quality: 45, colorCount: 64, divisor: 2),
    ] + [0.8, 0.64, 0.5, 0.4].map { Attempt(quality: 45, colorCount: 64, divisor: 2, scale: $0) }

  /// - Throws: `ClipMediaError.pictureTooBig` when even the smallest one does not fit.
  func encode(_ format: AnimationFormat) throws -> Coded {
    var smallest = Int64.max
    for (index, attempt) in Self.attempts.enumerated() {
      let coded = try encode(format, attempt)
      smallest = min(smallest, Int64(coded.bytes.count))
      guard Int64(coded.bytes.count) <= byteLimit else { continue }
      guard index > 0 else { return coded }
      var noted = coded
      let given = (["fewer colours and details"] + attempt.words).joined(separator: ", ")
      noted.note = "made smaller to fit \(ByteCount.text(byteLimit)): \(given)"
      return noted
    }
    throw ClipMediaError.pictureTooBig(name: name, byteCount: smallest, limit: byteLimit)
  }

  private func encode(_ format: AnimationFormat, _ attempt: Attempt) throws -> Coded {
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
      // Two frames never share a tick.
      let ticks = max(Int64((frame.seconds * ticksPerSecond).rounded()), last + 1)
      last = ticks
      try encoder.add(try source(picture, &mapper), ticks: ticks)
    }
    return Coded(bytes: try file(encoder, format), size: size)
  }

  private func source(_ picture: RGBPicture, _ mapper: inout PaletteMapper?) throws -> LibAV.Frame {
    // The pattern stays where it is from frame to frame: what does not move costs nothing.
    guard let indexes = mapper?.indexes(of: picture, dithering: .ordered), let palette = mapper?.palette else {
      return try LibAV.Frame(picture, as: .bgra)
    }
    return try LibAV.Frame(
      indexes: indexes, palette: palette.colors.flatMap { [$0.red, $0.green, $0.blue] }, width: picture.width,
      height: picture.height)
  }

  private func file(_ encoder: AnimationEncoder, _ format: AnimationFormat) throws -> [UInt8] {
    let bytes = try encoder.finish()
    return format == .webp ? ColorProfile.added(toWebP: bytes) : bytes
  }
}
