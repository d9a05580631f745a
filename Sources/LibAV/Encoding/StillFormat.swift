import CFFmpeg
import ClipModel

/// The format and quality of an image file.
public enum StillFormat: Sendable {
  /// A JPEG file.
  /// - Parameter quantizerScale: the quantizer scale, from 1 (best) to 31.
  case jpeg(quantizerScale: Int)
  case png
  /// A WebP file.
  /// - Parameter quality: the quality, from 1 to 100.
  case webp(quality: Int)

  /// The pixel format that `encode(_:)` requires.
  public var pixelFormat: PixelFormat {
    switch self {
    case .jpeg: .yuvj420p
    case .png: .rgb24
    case .webp: .yuv420p
    }
  }

  /// Encodes a frame, which must have the format `pixelFormat`, and returns the contents of the image file.
  public func encode(_ frame: Frame) throws(FFmpegError) -> [UInt8] {
    let encoder = try makeEncoder(like: frame)
    frame.presentationTicks = 0
    _ = try encoder.send(frame)
    _ = try encoder.send(nil)
    let packet = try Packet()
    guard try encoder.receive(into: packet) == .produced else {
      throw FFmpegError(bsc_AVERROR_EINVAL, call: "avcodec_receive_packet", subject: "image")
    }
    return packet.bytes
  }

  private func makeEncoder(like frame: Frame) throws(FFmpegError) -> Encoder {
    // For a single frame, the time base doesn't matter.
    let timeBase = Rational(1, 25)
    switch self {
    case .jpeg(let quantizerScale):
      // FF_QP2LAMBDA converts to libav's quality unit.
      let quality = Int32(quantizerScale) * FF_QP2LAMBDA
      frame.pointer.pointee.quality = quality
      return try Encoder(image: "mjpeg", like: frame, timeBase: timeBase) { context in
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.qmin = 1
        context.pointee.global_quality = quality
      }
    case .png:
      // With zlib level 6, files are nearly as small as with level 9, in a third of the time.
      return try Encoder(image: "png", like: frame, options: [("pred", "mixed")], timeBase: timeBase) { context in
        context.pointee.compression_level = 6
      }
    case .webp(let quality):
      return try Encoder(
        image: "libwebp", like: frame, options: [("quality", "\(quality)"), ("preset", "photo")], timeBase: timeBase)
    }
  }
}
