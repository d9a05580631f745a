import CFFmpeg
public import ClipModel

/// What a codec answers when asked for output. Expected outcomes, not failures.
public enum CodecOutput: Equatable, Sendable {
  /// One more frame or packet was written.
  case produced
  /// More input is needed first.
  case needsInput
  /// Everything has come out.
  case finished
}

/// Turns packets into frames: libav's `AVCodecContext`. Confined to one thread; it may run worker threads of its own.
public final class Decoder {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  public let timeBase: Rational
  private let subject: String
  private let errors: DecoderErrors

  /// - Parameters:
  ///   - threadCount: the codec's own worker threads; 0 lets libav take one per core.
  ///   - toleratesFrameNumberGaps: references of H.264 that are missing are no error.
  ///   - skipsNonReferenceDeblocking: leaves the loop filter out of frames that no other refers to: 5 to 8 % of the
  ///     decoding time for a difference nobody sees.
  public init(
    _ stream: SourceStream, threadCount: Int = 0, toleratesFrameNumberGaps: Bool = false,
    skipsNonReferenceDeblocking: Bool = false
  ) throws(FFmpegError) {
    errors = DecoderErrors(toleratesGaps: toleratesFrameNumberGaps)
    subject = "\(stream.codecName) track \(stream.index)"
    guard let codec = Self.codec(stream.parameters.codec_id) else {
      throw FFmpegError(bsc_AVERROR_DECODER_NOT_FOUND, call: "avcodec_find_decoder", subject: subject)
    }
    timeBase = stream.timeBase
    pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    try check(
      avcodec_parameters_to_context(pointer, stream.pointer.pointee.codecpar), "avcodec_parameters_to_context",
      on: subject)
    pointer.pointee.pkt_timebase = stream.pointer.pointee.time_base
    pointer.pointee.thread_count = Int32(threadCount)
    // The log finds its way back by this; workers of the codec have it, too.
    pointer.pointee.opaque = Unmanaged.passUnretained(errors).toOpaque()
    if skipsNonReferenceDeblocking { pointer.pointee.skip_loop_filter = AVDISCARD_NONREF }
    try check(avcodec_open2(pointer, codec, nil), "avcodec_open2", on: subject)
  }

  /// libavcodec's own decoders of VP8 and VP9 read beyond the end of damaged data and report nothing; libvpx does.
  private static func codec(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
    let preferred =
      switch id {
      case AV_CODEC_ID_VP8: avcodec_find_decoder_by_name("libvpx")
      case AV_CODEC_ID_VP9: avcodec_find_decoder_by_name("libvpx-vp9")
      default: UnsafePointer<AVCodec>?.none
      }
    return preferred ?? avcodec_find_decoder(id)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&owned)
  }

  /// Hands over a packet; `nil` says that no more will come. False when frames have to be received first.
  public func send(_ packet: Packet?) throws(FFmpegError) -> Bool {
    let status = avcodec_send_packet(pointer, packet?.pointer)
    if status == bsc_AVERROR_EAGAIN { return false }
    if status == bsc_AVERROR_EOF { return true }
    try check(status, "avcodec_send_packet", on: subject)
    return true
  }

  public func receive(into frame: Frame) throws(FFmpegError) -> CodecOutput {
    let status = avcodec_receive_frame(pointer, frame.pointer)
    if status == bsc_AVERROR_EAGAIN { return .needsInput }
    if status == bsc_AVERROR_EOF { return .finished }
    try check(status, "avcodec_receive_frame", on: subject)
    return .produced
  }

  /// What the decoder logged as an error since the last call, and may have concealed in the frames around; `nil` for
  /// nothing. With worker threads it is a few packets late.
  public func takeConcealedError() -> String? { errors.take().map { $0.isEmpty ? "the decoder reports an error" : $0 } }

  /// The first packet isn't an IDR picture: frame numbers before its own aren't missing. Call this before sending it.
  public func ignoreStartGap() { errors.ignoreStartGap() }

  /// Forgets everything after a seek.
  public func flush() {
    avcodec_flush_buffers(pointer)
    _ = errors.take()
  }
}
