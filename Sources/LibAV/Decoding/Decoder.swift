import CFFmpeg
public import ClipModel

/// The result of sending data to a codec or receiving data from a codec. None of the cases is an error.
public enum CodecOutput: Equatable, Sendable {
  /// A frame or packet was received, or the input was accepted.
  case produced
  /// The codec requires the opposite operation first: sending input or receiving output.
  case needsInput
  /// The codec has returned all output.
  case finished

  /// Converts the status of a libav call.
  /// - Throws: an error for any status except success, `EAGAIN` and `EOF`.
  init(_ status: Int32, _ call: String, on subject: String) throws(FFmpegError) {
    switch status {
    case bsc_AVERROR_EAGAIN: self = .needsInput
    case bsc_AVERROR_EOF: self = .finished
    default:
      try check(status, call, on: subject)
      self = .produced
    }
  }
}

/// Decodes packets into frames. A wrapper for libav's `AVCodecContext`, which must be used on only one thread but may
/// start its own worker threads.
public final class Decoder {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  public let timeBase: Rational
  private let subject: String
  private let errors: DecoderErrors

  /// - Parameters:
  ///   - threadCount: the number of worker threads. If 0, libav starts one per core.
  ///   - toleratesFrameNumberGaps: whether gaps in H.264 frame numbers are ignored instead of reported as errors.
  ///   - skipsNonReferenceDeblocking: whether to skip the loop filter for frames that no other frame refers to. This
  ///     saves 5 to 8 % of the decoding time without a visible difference.
  public init(
    _ stream: SourceStream, threadCount: Int = 0, toleratesFrameNumberGaps: Bool = false,
    skipsNonReferenceDeblocking: Bool = false
  ) throws(FFmpegError) {
    errors = DecoderErrors(toleratesGaps: toleratesFrameNumberGaps)
    subject = "\(stream.codecName) track \(stream.index)"
    guard let codec = Self.findDecoder(stream.parameters.codec_id) else {
      throw FFmpegError(bsc_AVERROR_DECODER_NOT_FOUND, call: "avcodec_find_decoder", subject: subject)
    }
    timeBase = stream.timeBase
    pointer = try requireAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    try check(
      avcodec_parameters_to_context(pointer, stream.pointer.pointee.codecpar), "avcodec_parameters_to_context",
      on: subject)
    pointer.pointee.pkt_timebase = stream.pointer.pointee.time_base
    pointer.pointee.thread_count = Int32(threadCount)
    // The log callback uses this pointer to find the decoder's errors, even on the codec's worker threads.
    pointer.pointee.opaque = Unmanaged.passUnretained(errors).toOpaque()
    if skipsNonReferenceDeblocking { pointer.pointee.skip_loop_filter = AVDISCARD_NONREF }
    try check(avcodec_open2(pointer, codec, nil), "avcodec_open2", on: subject)
  }

  /// Returns the decoder for a codec. Prefers libvpx, because libavcodec's native VP8 and VP9 decoders read past the
  /// end of damaged data without reporting an error.
  private static func findDecoder(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
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

  /// Sends a packet to the decoder, or `nil` after the last packet. Returns `false` if frames must be received first.
  ///
  /// Packets that are sent after the end are ignored.
  public func send(_ packet: Packet?) throws(FFmpegError) -> Bool {
    try CodecOutput(avcodec_send_packet(pointer, packet?.pointer), "avcodec_send_packet", on: subject) != .needsInput
  }

  public func receive(into frame: Frame) throws(FFmpegError) -> CodecOutput {
    try CodecOutput(avcodec_receive_frame(pointer, frame.pointer), "avcodec_receive_frame", on: subject)
  }

  /// Returns the first error that the decoder has logged since the last call, or `nil` if it hasn't logged an error.
  /// The decoder may have concealed the error in nearby frames. If the decoder uses worker threads, errors arrive a few
  /// packets late.
  public func takeConcealedError() -> String? {
    errors.takeFirstLine().map { $0.isEmpty ? "the decoder logged an error" : $0 }
  }

  /// Ignores the gap in frame numbers before the first picture, if that picture isn't an IDR picture. Call this method
  /// before sending the picture's packet.
  public func ignoreStartGap() { errors.ignoreStartGap() }

  /// Resets the decoder's state after a seek.
  public func flush() {
    avcodec_flush_buffers(pointer)
    _ = errors.takeFirstLine()
  }
}
