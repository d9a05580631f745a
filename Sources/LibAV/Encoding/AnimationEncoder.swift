import CFFmpeg
public import ClipModel

/// Moving pictures as one file that repeats for ever: GIF by libav's encoder and muxer, WebP by libwebp.
///
/// Frames of one size are added with rising timestamps; `finish` gives the whole file, once.
public final class AnimationEncoder {
  public enum Format: Sendable {
    /// Frames are indexes into a palette; see `Frame.init(indexes:palette:width:height:)`.
    case gif
    /// - Parameter quality: 1 to 100.
    case webp(quality: Int)

    /// Ticks of the frames' timestamps: GIF counts in hundredths of a second.
    public var timeBase: Rational {
      switch self {
      case .gif: Rational(1, 100)
      case .webp: Rational(1, 1000)
      }
    }
  }

  private let format: Format
  private var encoder: Encoder?
  private let packet: Packet
  /// GIF's own: it writes into memory.
  private var muxer: UnsafeMutablePointer<AVFormatContext>?
  private var bytes: [UInt8] = []
  private var isFinished = false
  /// The muxer keeps its last frame until then.
  private var needsTrailer = false
  /// Of the last frame, ticks.
  private let lastDuration: Int64

  /// - Parameter lastDuration: how long the last frame stays before the first comes again, in ticks.
  public init(_ format: Format, lastDuration: Int64) throws(FFmpegError) {
    FFmpegLog.install()
    self.format = format
    self.lastDuration = lastDuration
    packet = try Packet()
  }

  deinit {
    guard let muxer else { return }
    if needsTrailer { av_write_trailer(muxer) }
    freeBuffer(of: muxer)
    avformat_free_context(muxer)
  }

  public func add(_ frame: Frame, ticks: Int64) throws(FFmpegError) {
    try checkIsOpen("avcodec_send_frame")
    if encoder == nil { encoder = try open(like: frame) }
    guard let encoder else { return }
    frame.presentationTicks = ticks
    frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    _ = try encoder.send(frame)
    try drain(encoder)
  }

  /// The file's bytes; empty when no frame was added.
  public func finish() throws(FFmpegError) -> [UInt8] {
    try checkIsOpen("av_write_trailer")
    isFinished = true
    guard let encoder else { return [] }
    _ = try encoder.send(nil)
    try drain(encoder)
    guard let muxer else { return bytes }
    needsTrailer = false
    try check(av_write_trailer(muxer), "av_write_trailer", on: "GIF")
    var data: UnsafeMutablePointer<UInt8>?
    let count = avio_close_dyn_buf(muxer.pointee.pb, &data)
    muxer.pointee.pb = nil
    defer { av_free(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }

  private func checkIsOpen(_ call: String) throws(FFmpegError) {
    guard !isFinished else { throw FFmpegError(bsc_AVERROR_EINVAL, call: call, subject: "animation") }
  }

  private func open(like frame: Frame) throws(FFmpegError) -> Encoder {
    switch format {
    case .webp(let quality):
      return try Encoder(
        picture: "libwebp_anim", like: frame, options: [("quality", "\(quality)"), ("preset", "photo")],
        timeBase: format.timeBase)
    case .gif:
      let encoder = try Encoder(picture: "gif", like: frame, timeBase: format.timeBase)
      try openMuxer(for: encoder)
      return encoder
    }
  }

  private func openMuxer(for encoder: Encoder) throws(FFmpegError) {
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&context, nil, "gif", nil), "avformat_alloc_output_context2", on: "GIF")
    let opened = try allocated(context, "avformat_alloc_output_context2")
    muxer = opened
    try check(avio_open_dyn_buf(&opened.pointee.pb), "avio_open_dyn_buf", on: "GIF")
    opened.pointee.flags |= AVFMT_FLAG_BITEXACT
    let stream = try allocated(avformat_new_stream(opened, nil), "avformat_new_stream")
    try check(
      avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), "avcodec_parameters_from_context",
      on: "GIF")
    stream.pointee.time_base = encoder.timeBase.raw
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    // 0 repeats for ever.
    av_dict_set(&options, "loop", "0", 0)
    av_dict_set(&options, "final_delay", "\(lastDuration)", 0)
    try check(avformat_write_header(opened, &options), "avformat_write_header", on: "GIF")
    needsTrailer = true
  }

  private func drain(_ encoder: Encoder) throws(FFmpegError) {
    while try encoder.receive(into: packet) == .produced {
      guard let muxer else {
        // libwebp hands out the whole file at the end.
        bytes += packet.withBytes { Array($0) }
        continue
      }
      packet.streamIndex = 0
      try check(av_write_frame(muxer, packet.pointer), "av_write_frame", on: "GIF")
    }
  }

  private func freeBuffer(of muxer: UnsafeMutablePointer<AVFormatContext>) {
    guard muxer.pointee.pb != nil else { return }
    var data: UnsafeMutablePointer<UInt8>?
    avio_close_dyn_buf(muxer.pointee.pb, &data)
    av_free(data)
    muxer.pointee.pb = nil
  }
}
