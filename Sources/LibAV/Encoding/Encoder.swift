import CFFmpeg
public import ClipModel

/// Turns frames into packets: libav's `AVCodecContext`. Confined to one thread; it may run worker threads of its own.
public final class Encoder {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  private let subject: String
  /// In front of an encoder that has its own memory or wants another format.
  private var hardware: HardwareUpload?

  /// Settings of a software video encoder, all of them decided elsewhere.
  public struct VideoSettings: Sendable {
    public var layout: PictureLayout
    /// Ticks of the frames' timestamps.
    public var timeBase: Rational
    /// Only a hint for rate control and level; timestamps rule.
    public var frameRate: Rational
    public var constantRateFactor: Double
    public var maximumBitsPerSecond: Int64
    public var bufferBits: Int64
    /// Longest distance of key frames, in frames.
    public var keyFrameInterval: Int
    /// x264's or x265's name for a set of tools: `superfast`.
    public var preset: String
    /// Further options of x264 or x265, `key=value` with colons between.
    public var parameters: String
    /// The encoder's own threads; 0 lets it choose.
    public var threadCount: Int

    public init(
      layout: PictureLayout, timeBase: Rational, frameRate: Rational, constantRateFactor: Double,
      maximumBitsPerSecond: Int64 = 0, bufferBits: Int64 = 0, keyFrameInterval: Int, preset: String,
      parameters: String = "", threadCount: Int = 0
    ) {
      self.layout = layout
      self.timeBase = timeBase
      self.frameRate = frameRate
      self.constantRateFactor = constantRateFactor
      self.maximumBitsPerSecond = maximumBitsPerSecond
      self.bufferBits = bufferBits
      self.keyFrameInterval = keyFrameInterval
      self.preset = preset
      self.parameters = parameters
      self.threadCount = threadCount
    }
  }

  /// H.264 High by x264; square pixels.
  public convenience init(h264 settings: VideoSettings) throws(FFmpegError) {
    try self.init(settings, encoder: "libx264", options: [("profile", "high"), ("x264-params", settings.parameters)])
  }

  /// HEVC by x265, Main or Main 10 by the layout's depth; square pixels, with the sample entry that Apple plays.
  public convenience init(hevc settings: VideoSettings) throws(FFmpegError) {
    try self.init(settings, encoder: "libx265", options: [("x265-params", settings.parameters)])
    pointer.pointee.codec_tag = hevcSampleEntry
  }

  private init(
    _ settings: VideoSettings, encoder name: String, isSoftware: Bool = true,
    options settingsOfCodec: [(String, String)],
    prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
  ) throws(FFmpegError) {
    let layout = settings.layout
    subject = "\(name) \(layout.width)x\(layout.height)"
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(bsc_AVERROR_ENCODER_NOT_FOUND, call: "avcodec_find_encoder_by_name", subject: name)
    }
    pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    pointer.pointee.width = Int32(layout.width)
    pointer.pointee.height = Int32(layout.height)
    pointer.pointee.pix_fmt = layout.pixelFormat.raw
    pointer.pointee.time_base = settings.timeBase.raw
    pointer.pointee.framerate = settings.frameRate.raw
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    pointer.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(bitPattern: layout.primaries.rawValue))
    pointer.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(bitPattern: layout.transfer.rawValue))
    pointer.pointee.colorspace = AVColorSpace(rawValue: UInt32(bitPattern: layout.matrix.rawValue))
    pointer.pointee.color_range = layout.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    pointer.pointee.chroma_sample_location = AVChromaLocation(UInt32(layout.chromaLocation.rawValue + 1))
    pointer.pointee.gop_size = Int32(settings.keyFrameInterval)
    pointer.pointee.rc_max_rate = settings.maximumBitsPerSecond
    pointer.pointee.rc_buffer_size = Int32(clamping: settings.bufferBits)
    pointer.pointee.thread_count = Int32(settings.threadCount)
    pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    let quality = [("preset", settings.preset), ("crf", "\(settings.constantRateFactor)")]
    for (key, value) in (isSoftware ? quality : []) + settingsOfCodec { av_dict_set(&options, key, value, 0) }
    if !isSoftware { pointer.pointee.bit_rate = settings.maximumBitsPerSecond * 4 / 5 }
    prepare(pointer)
    try check(avcodec_open2(pointer, codec, &options), "avcodec_open2", on: subject)
  }

  /// H.264 by an encoder of the graphics card or the media engine: `h264_nvenc`, `h264_vaapi`, `h264_qsv`,
  /// `h264_videotoolbox`. It is told an average rate, because each has another idea of constant quality.
  ///
  /// Opening one says little: see `HardwareEncoders.working(for:)`.
  public convenience init(hardware name: String, _ settings: VideoSettings) throws(FFmpegError) {
    let upload = try HardwareUpload(encoder: name, layout: settings.layout)
    var settings = settings
    settings.layout.pixelFormat = upload?.encoderFormat ?? settings.layout.pixelFormat
    try self.init(
      settings, encoder: name, isSoftware: false, options: [("profile", "high"), ("bf", "0")],
      prepare: { context in upload?.attach(to: context) })
    hardware = upload
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

  /// A picture file's codec, with its options; for pictures like this one. See `StillFormat`.
  init(
    picture name: String, like frame: Frame, options settings: [(String, String)] = [], timeBase: Rational,
    prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
  ) throws(FFmpegError) {
    subject = "\(name) \(frame.width)x\(frame.height)"
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(bsc_AVERROR_ENCODER_NOT_FOUND, call: "avcodec_find_encoder_by_name", subject: name)
    }
    pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    pointer.pointee.width = Int32(frame.width)
    pointer.pointee.height = Int32(frame.height)
    pointer.pointee.pix_fmt = frame.pixelFormat.raw
    pointer.pointee.color_range = frame.pointer.pointee.color_range
    pointer.pointee.color_primaries = frame.pointer.pointee.color_primaries
    pointer.pointee.color_trc = frame.pointer.pointee.color_trc
    pointer.pointee.colorspace = frame.pointer.pointee.colorspace
    pointer.pointee.time_base = timeBase.raw
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    // Names no version.
    pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    pointer.pointee.thread_count = 1
    prepare(pointer)
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    for (key, value) in settings { av_dict_set(&options, key, value, 0) }
    try check(avcodec_open2(pointer, codec, &options), "avcodec_open2", on: subject)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&owned)
  }

  public var timeBase: Rational { Rational(pointer.pointee.time_base) }
  /// Samples per channel that an audio encoder wants in each frame but the last.
  public var frameSampleCount: Int { Int(pointer.pointee.frame_size) }

  /// Hands over a frame; `nil` says that no more will come. False when packets have to be received first.
  ///
  /// What comes after the end is left out.
  /// - Throws: also for a frame of another size or format than the encoder was made for.
  public func send(_ frame: Frame?) throws(FFmpegError) -> Bool {
    if let frame { bsc_frame_clear_picture_type(frame.pointer) }
    let frame = try hardware?.upload(frame) ?? frame
    if let frame, !takes(frame.pointer) {
      throw FFmpegError(bsc_AVERROR_EINVAL, call: "avcodec_send_frame", subject: subject)
    }
    let status = avcodec_send_frame(pointer, frame?.pointer)
    if status == bsc_AVERROR_EAGAIN { return false }
    if status == bsc_AVERROR_EOF { return true }
    try check(status, "avcodec_send_frame", on: subject)
    return true
  }

  /// libavcodec leaves this to its callers: x264 reads a smaller picture beyond its end.
  private func takes(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard pointer.pointee.codec_type == AVMEDIA_TYPE_AUDIO else {
      return frame.pointee.width == pointer.pointee.width && frame.pointee.height == pointer.pointee.height
        && frame.pointee.format == pointer.pointee.pix_fmt.rawValue
    }
    return frame.pointee.sample_rate == pointer.pointee.sample_rate
      && frame.pointee.format == pointer.pointee.sample_fmt.rawValue
      && frame.pointee.ch_layout.nb_channels == pointer.pointee.ch_layout.nb_channels
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
