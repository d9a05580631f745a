import CFFmpeg
public import ClipModel

/// Turns frames into packets: libav's `AVCodecContext`. Confined to one thread; it may run worker threads of its own.
public final class Encoder {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  private let subject: String

  /// Settings of an H.264 encoder, all of them decided elsewhere.
  public struct H264Settings: Sendable {
    public var width: Int
    public var height: Int
    /// Ticks of the frames' timestamps.
    public var timeBase: Rational
    /// Only a hint for rate control and level; timestamps rule.
    public var frameRate: Rational
    public var constantRateFactor: Double
    public var maximumBitsPerSecond: Int64
    public var bufferBits: Int64
    /// Longest distance of key frames, in frames.
    public var keyFrameInterval: Int
    /// x264's own threads; 0 lets it choose.
    public var threadCount: Int

    public init(
      width: Int, height: Int, timeBase: Rational, frameRate: Rational, constantRateFactor: Double,
      maximumBitsPerSecond: Int64, bufferBits: Int64, keyFrameInterval: Int, threadCount: Int = 0
    ) {
      self.width = width
      self.height = height
      self.timeBase = timeBase
      self.frameRate = frameRate
      self.constantRateFactor = constantRateFactor
      self.maximumBitsPerSecond = maximumBitsPerSecond
      self.bufferBits = bufferBits
      self.keyFrameInterval = keyFrameInterval
      self.threadCount = threadCount
    }
  }

  /// H.264 High, 8-bit 4:2:0, BT.709 limited range, closed GOPs, square pixels, by x264.
  ///
  /// `superfast` with macroblock tree and a lookahead of 20: those two are what makes `veryfast` better per byte, and
  /// they cost less than the rest of it.
  public init(h264 settings: H264Settings) throws(FFmpegError) {
    subject = "H.264 \(settings.width)x\(settings.height)"
    guard let codec = avcodec_find_encoder_by_name("libx264") else {
      throw FFmpegError(bsc_AVERROR_ENCODER_NOT_FOUND, call: "avcodec_find_encoder_by_name", subject: "libx264")
    }
    pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    pointer.pointee.width = Int32(settings.width)
    pointer.pointee.height = Int32(settings.height)
    pointer.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    pointer.pointee.time_base = settings.timeBase.raw
    pointer.pointee.framerate = settings.frameRate.raw
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    pointer.pointee.color_primaries = AVCOL_PRI_BT709
    pointer.pointee.color_trc = AVCOL_TRC_BT709
    pointer.pointee.colorspace = AVCOL_SPC_BT709
    pointer.pointee.color_range = AVCOL_RANGE_MPEG
    pointer.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    pointer.pointee.gop_size = Int32(settings.keyFrameInterval)
    pointer.pointee.rc_max_rate = settings.maximumBitsPerSecond
    pointer.pointee.rc_buffer_size = Int32(clamping: settings.bufferBits)
    pointer.pointee.thread_count = Int32(settings.threadCount)
    pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    for (key, value) in [
      ("preset", "superfast"), ("profile", "high"), ("crf", "\(settings.constantRateFactor)"),
      // A short clip starts with a nearly full buffer otherwise and overshoots its cap.
      ("x264-params", "mbtree=1:rc-lookahead=20:open-gop=0:vbv-init=0.3"),
    ] {
      av_dict_set(&options, key, value, 0)
    }
    try check(avcodec_open2(pointer, codec, &options), "avcodec_open2", on: subject)
  }

  /// AAC-LC by libav's own encoder.
  public init(aacChannelCount: Int, sampleRate: Int, bitsPerSecond: Int64) throws(FFmpegError) {
    subject = "AAC \(sampleRate) Hz"
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_AAC) else {
      throw FFmpegError(bsc_AVERROR_ENCODER_NOT_FOUND, call: "avcodec_find_encoder", subject: "AAC")
    }
    pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    pointer.pointee.sample_rate = Int32(sampleRate)
    pointer.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
    pointer.pointee.bit_rate = bitsPerSecond
    av_channel_layout_default(&pointer.pointee.ch_layout, Int32(aacChannelCount))
    pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try check(avcodec_open2(pointer, codec, nil), "avcodec_open2", on: subject)
  }

  /// JPEG of pictures like this one, which has to be full-range 4:2:0.
  /// - Parameter quantizerScale: 2 (best) to 31.
  public init(jpegLike frame: Frame, quantizerScale: Int) throws(FFmpegError) {
    subject = "JPEG \(frame.width)x\(frame.height)"
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
      throw FFmpegError(bsc_AVERROR_ENCODER_NOT_FOUND, call: "avcodec_find_encoder", subject: "JPEG")
    }
    pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    pointer.pointee.width = Int32(frame.width)
    pointer.pointee.height = Int32(frame.height)
    pointer.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
    pointer.pointee.color_range = AVCOL_RANGE_JPEG
    pointer.pointee.time_base = AVRational(num: 1, den: 25)
    pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT
    // FF_QP2LAMBDA: libav's unit of quality.
    pointer.pointee.global_quality = Int32(quantizerScale) * FF_QP2LAMBDA
    pointer.pointee.thread_count = 1
    try check(avcodec_open2(pointer, codec, nil), "avcodec_open2", on: subject)
    frame.pointer.pointee.quality = pointer.pointee.global_quality
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&owned)
  }

  public var timeBase: Rational { Rational(pointer.pointee.time_base) }
  /// Samples per channel that an audio encoder wants in each frame but the last.
  public var frameSampleCount: Int { Int(pointer.pointee.frame_size) }

  /// Hands over a frame; `nil` says that no more will come. False when packets have to be received first.
  public func send(_ frame: Frame?) throws(FFmpegError) -> Bool {
    if let frame { bsc_frame_clear_picture_type(frame.pointer) }
    let status = avcodec_send_frame(pointer, frame?.pointer)
    if status == bsc_AVERROR_EAGAIN { return false }
    if status == bsc_AVERROR_EOF { return true }
    try check(status, "avcodec_send_frame", on: subject)
    return true
  }

  public func receive(into packet: Packet) throws(FFmpegError) -> CodecOutput {
    packet.reset()
    let status = avcodec_receive_packet(pointer, packet.pointer)
    if status == bsc_AVERROR_EAGAIN { return .needsInput }
    if status == bsc_AVERROR_EOF { return .finished }
    try check(status, "avcodec_receive_packet", on: subject)
    return .produced
  }
}
