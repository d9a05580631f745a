import CFFmpeg
public import ClipModel

/// Encodes frames into packets. A wrapper for libav's `AVCodecContext`, which must be used on only one thread but may
/// start its own worker threads.
public final class Encoder {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  private let subject: String
  /// Converts frames for a hardware encoder that uses graphics memory or requires a different format.
  private var hardware: HardwareUpload?

  /// The settings of a video encoder.
  public struct VideoSettings: Sendable {
    public var layout: FrameLayout
    /// The time base of the frames' timestamps.
    public var timeBase: Rational
    /// The nominal frame rate, which is a hint for rate control and the choice of level. The actual rate depends on the
    /// timestamps.
    public var frameRate: Rational
    public var constantRateFactor = 23.0
    public var maximumBitsPerSecond: Int64 = 0
    public var bufferBits: Int64 = 0
    /// The maximum number of frames from one key frame to the next.
    public var keyFrameInterval = 1
    /// The preset for x264 or x265.
    public var preset = "superfast"
    /// Additional x264 or x265 options in the form `key=value`, separated by colons.
    public var parameters = ""
    /// The number of encoder threads. If 0, the encoder chooses.
    public var threadCount = 0

    public init(layout: FrameLayout, timeBase: Rational, frameRate: Rational) {
      self.layout = layout
      self.timeBase = timeBase
      self.frameRate = frameRate
    }
  }

  /// Creates an x264 encoder for H.264 High with square pixels.
  public convenience init(h264 settings: VideoSettings) throws(FFmpegError) {
    try self.init(settings, encoder: "libx264", options: [("profile", "high"), ("x264-params", settings.parameters)])
  }

  /// Creates an x265 encoder for HEVC Main or Main 10, depending on the layout. The output has square pixels and the
  /// sample entry that Apple's players require.
  public convenience init(hevc settings: VideoSettings) throws(FFmpegError) {
    try self.init(settings, encoder: "libx265", options: [("x265-params", settings.parameters)])
    pointer.pointee.codec_tag = hevcSampleEntry
  }

  /// Creates a hardware encoder for H.264: `h264_nvenc`, `h264_vaapi`, `h264_qsv` or `h264_videotoolbox`. The encoder
  /// uses an average bit rate, because each of these encoders defines constant quality differently.
  ///
  /// An encoder that opens successfully may still fail to encode (see `HardwareEncoders.findWorking(for:among:)`).
  public convenience init(hardware name: String, _ settings: VideoSettings) throws(FFmpegError) {
    let upload = try HardwareUpload(encoder: name, layout: settings.layout)
    var settings = settings
    settings.layout.pixelFormat = upload?.encoderFormat ?? settings.layout.pixelFormat
    try self.init(settings, encoder: name, isSoftware: false, options: [("profile", "high"), ("bf", "0")]) { context in
      context.pointee.bit_rate = settings.maximumBitsPerSecond * 4 / 5
      upload?.attach(to: context)
    }
    hardware = upload
  }

  private convenience init(
    _ settings: VideoSettings, encoder name: String, isSoftware: Bool = true, options: [(String, String)],
    configure: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
  ) throws(FFmpegError) {
    let layout = settings.layout
    let quality = [
      ("preset", settings.preset), ("crf", "\(settings.constantRateFactor)"), ("forced-idr", "1"),
    ]
    try self.init(
      name, subject: "\(name) \(layout.width)x\(layout.height)", options: (isSoftware ? quality : []) + options
    ) { context in
      context.pointee.width = Int32(layout.width)
      context.pointee.height = Int32(layout.height)
      context.pointee.pix_fmt = layout.pixelFormat.raw
      context.pointee.time_base = settings.timeBase.raw
      context.pointee.framerate = settings.frameRate.raw
      context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
      context.pointee.color_primaries = layout.avPrimaries
      context.pointee.color_trc = layout.avTransfer
      context.pointee.colorspace = layout.avMatrix
      context.pointee.color_range = layout.avRange
      context.pointee.chroma_sample_location = layout.avChromaLocation
      context.pointee.gop_size = Int32(settings.keyFrameInterval)
      context.pointee.rc_max_rate = settings.maximumBitsPerSecond
      context.pointee.rc_buffer_size = Int32(clamping: settings.bufferBits)
      context.pointee.thread_count = Int32(settings.threadCount)
      context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
      configure(context)
    }
  }

  /// Creates an AAC-LC encoder that uses libav's native implementation.
  public convenience init(aacChannelCount: Int, sampleRate: Int, bitsPerSecond: Int64) throws(FFmpegError) {
    try self.init("aac", subject: "AAC \(sampleRate) Hz") { context in
      context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
      context.pointee.sample_rate = Int32(sampleRate)
      context.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
      context.pointee.bit_rate = bitsPerSecond
      av_channel_layout_default(&context.pointee.ch_layout, Int32(aacChannelCount))
      context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    }
  }

  /// Creates an image encoder for frames with the same layout as `frame`. See `StillFormat`.
  convenience init(
    image name: String, like frame: Frame, options: [(String, String)] = [], timeBase: Rational,
    configure: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
  ) throws(FFmpegError) {
    let source = frame.pointer.pointee
    try self.init(name, subject: "\(name) \(frame.width)x\(frame.height)", options: options) { context in
      context.pointee.width = source.width
      context.pointee.height = source.height
      context.pointee.pix_fmt = frame.pixelFormat.raw
      context.pointee.color_range = source.color_range
      context.pointee.color_primaries = source.color_primaries
      context.pointee.color_trc = source.color_trc
      context.pointee.colorspace = source.colorspace
      context.pointee.time_base = timeBase.raw
      context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
      // Omit the encoder's version from the file.
      context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
      context.pointee.thread_count = 1
      configure(context)
    }
  }

  private init(
    _ name: String, subject: String, options: [(String, String)] = [],
    configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
  ) throws(FFmpegError) {
    self.subject = subject
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(bsc_AVERROR_ENCODER_NOT_FOUND, call: "avcodec_find_encoder_by_name", subject: name)
    }
    let context = try requireAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    pointer = context
    configure(context)
    try check(withOptions(options) { avcodec_open2(context, codec, &$0) }, "avcodec_open2", on: subject)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&owned)
  }

  public var timeBase: Rational { Rational(pointer.pointee.time_base) }
  /// The codec configuration that the container stores: the SPS and PPS of H.264, or the equivalent of another codec.
  public var parameterSets: [UInt8] {
    Array(UnsafeBufferPointer(start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size)))
  }
  /// The number of samples per channel that an audio encoder requires in each frame except the last one.
  public var frameSampleCount: Int { Int(pointer.pointee.frame_size) }

  /// Sends a frame to the encoder, or `nil` after the last frame. Returns `false` if packets must be received first.
  ///
  /// Frames that are sent after the end are ignored.
  /// - Throws: an error, for example if the frame's size or format differs from the encoder's.
  public func send(_ frame: Frame?, startsGOP: Bool = false) throws(FFmpegError) -> Bool {
    if let frame {
      bsc_frame_clear_picture_type(frame.pointer)
      if startsGOP { frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_I }
    }
    let frame = try hardware?.upload(frame) ?? frame
    if let frame, !accepts(frame.pointer.pointee) {
      throw FFmpegError(bsc_AVERROR_EINVAL, call: "avcodec_send_frame", subject: subject)
    }
    return try CodecOutput(avcodec_send_frame(pointer, frame?.pointer), "avcodec_send_frame", on: subject)
      != .needsInput
  }

  /// Returns whether a frame has the encoder's size and format. libavcodec doesn't check this, and x264 would read past
  /// the end of a smaller frame.
  private func accepts(_ frame: AVFrame) -> Bool {
    let context = pointer.pointee
    guard context.codec_type == AVMEDIA_TYPE_AUDIO else {
      return frame.width == context.width && frame.height == context.height
        && frame.format == context.pix_fmt.rawValue
    }
    return frame.sample_rate == context.sample_rate && frame.format == context.sample_fmt.rawValue
      && frame.ch_layout.nb_channels == context.ch_layout.nb_channels
  }

  public func receive(into packet: Packet) throws(FFmpegError) -> CodecOutput {
    packet.reset()
    return try CodecOutput(
      avcodec_receive_packet(pointer, packet.pointer), "avcodec_receive_packet", on: subject)
  }
}
