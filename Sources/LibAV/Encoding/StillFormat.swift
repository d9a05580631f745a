import CFFmpeg
import ClipModel

/// The format of an image file, with its quality.
public enum StillFormat: Sendable {
  /// - Parameter quantizerScale: the scale from 1 (best) to 31.
  case jpeg(quantizerScale: Int)
  case png
  /// - Parameter quality: the quality from 1 to 100.
  case webp(quality: Int)

  /// The pixel format that `encode` accepts.
  public var pixelFormat: PixelFormat {
    switch self {
    case .jpeg: .yuvj420p
    case .png: .rgb24
    case .webp: .yuv420p
    }
  }

  /// Encodes one frame, which must be in `pixelFormat`, and returns the image file.
  public func encode(_ frame: Frame) throws(FFmpegError) -> [UInt8] {
    let encoder = try encoder(like: frame)
    frame.presentationTicks = 0
    _ = try encoder.send(frame)
    _ = try encoder.send(nil)
    let packet = try Packet()
    guard try encoder.receive(into: packet) == .produced else {
      throw FFmpegError(bsc_AVERROR_EINVAL, call: "avcodec_receive_packet", subject: "image")
    }
    return packet.bytes
  }

  private func encoder(like frame: Frame) throws(FFmpegError) -> Encoder {
    // Any time base works for one frame.
    let timeBase = Rational(1, 25)
    switch self {
    case .jpeg(let quantizerScale):
      // FF_QP2LAMBDA: libav's unit of quality.
      let quality = Int32(quantizerScale) * FF_QP2LAMBDA
      frame.pointer.pointee.quality = quality
      return try Encoder(image: "mjpeg", like: frame, timeBase: timeBase) { context in
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.qmin = 1
        context.pointee.global_quality = quality
      }
    case .png:
      // Level 6 of zlib is nearly as small as level 9 and takes a third of its time.
      return try Encoder(image: "png", like: frame, options: [("pred", "mixed")], timeBase: timeBase) { context in
        context.pointee.compression_level = 6
      }
    case .webp(let quality):
      return try Encoder(
        image: "libwebp", like: frame, options: [("quality", "\(quality)"), ("preset", "photo")], timeBase: timeBase)
    }
  }
}
