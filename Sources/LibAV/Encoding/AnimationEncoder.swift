import CFFmpeg
public import ClipModel

/// Encodes an animation that loops indefinitely, as a GIF with libav's encoder and muxer or as WebP with libwebp.
///
/// Add frames of the same size with ascending timestamps, and then call `finish()` once, which returns the file's
/// contents.
public final class AnimationEncoder {
  public enum Format: Sendable {
    /// An animated GIF. Its frames contain palette indexes (see `Frame.init(indexes:palette:width:height:)`).
    case gif
    /// An animated WebP file.
    /// - Parameter quality: the quality, from 1 to 100.
    case webp(quality: Int)

    /// The time base of the frames' timestamps. In a GIF, they count hundredths of a second.
    public var timeBase: Rational {
      switch self {
      case .gif: Rational(1, 100)
      case .webp: Rational(1, 1000)
      }
    }
  }

  private let format: Format
  private let lastDuration: Int64
  private var encoder: Encoder?
  /// The muxer that writes a GIF file.
  private var muxer: Muxer?
  private let packet: Packet
  /// The contents of the finished WebP file.
  private var bytes: [UInt8] = []
  private var isFinished = false

  /// - Parameter lastDuration: the time for which the last frame is shown before the animation repeats, in ticks.
  public init(_ format: Format, lastDuration: Int64) throws(FFmpegError) {
    try LoadedLibraries.loadFFmpeg()
    self.format = format
    self.lastDuration = lastDuration
    packet = try Packet()
  }

  public func add(_ frame: Frame, ticks: Int64) throws(FFmpegError) {
    try checkIsOpen("avcodec_send_frame")
    if encoder == nil { encoder = try openEncoder(like: frame) }
    guard let encoder else { return }
    frame.presentationTicks = ticks
    frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    _ = try encoder.send(frame)
    try receivePackets(encoder)
  }

  /// Returns the contents of the file, which are empty if no frames were added.
  public func finish() throws(FFmpegError) -> [UInt8] {
    try checkIsOpen("av_write_trailer")
    isFinished = true
    guard let encoder else { return [] }
    _ = try encoder.send(nil)
    try receivePackets(encoder)
    try muxer?.finish()
    return muxer?.bytes ?? bytes
  }

  private func checkIsOpen(_ call: String) throws(FFmpegError) {
    guard !isFinished else { throw FFmpegError(bsc_AVERROR_EINVAL, call: call, subject: "animation") }
  }

  private func openEncoder(like frame: Frame) throws(FFmpegError) -> Encoder {
    switch format {
    case .webp(let quality):
      return try Encoder(
        image: "libwebp_anim", like: frame, options: [("quality", "\(quality)"), ("preset", "photo")],
        timeBase: format.timeBase)
    case .gif:
      let encoder = try Encoder(image: "gif", like: frame, timeBase: format.timeBase)
      let muxer = try Muxer("gif", to: .memory, path: "animation.gif", interruption: Interruption())
      self.muxer = muxer
      _ = try muxer.addTrack(from: encoder)
      // A loop count of 0 repeats the animation indefinitely.
      try muxer.writeHeader([("loop", "0"), ("final_delay", "\(lastDuration)")])
      return encoder
    }
  }

  private func receivePackets(_ encoder: Encoder) throws(FFmpegError) {
    while try encoder.receive(into: packet) == .produced {
      if let muxer {
        packet.streamIndex = 0
        try check(av_write_frame(muxer.pointer, packet.pointer), "av_write_frame", on: "GIF")
      } else {
        // libwebp returns the entire file at the end.
        bytes += packet.bytes
      }
    }
  }
}
