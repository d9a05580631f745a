import CFFmpeg

/// Converts decoded audio to the frame size, sample rate, channel layout and sample format that an encoder requires,
/// with libswresample and a sample queue. Must be used on only one thread.
public final class AudioConverter {
  private let encoder: Encoder
  private var resampler: Resampler
  private let queue: OpaquePointer

  /// - Parameter first: the first decoded frame.
  public init(first: Frame, encoder: Encoder) throws(FFmpegError) {
    self.encoder = encoder
    resampler = try Resampler(from: first, to: encoder)
    let target = encoder.pointer.pointee
    guard
      let queue = av_audio_fifo_alloc(target.sample_fmt, target.ch_layout.nb_channels, max(target.frame_size, 1))
    else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_audio_fifo_alloc", subject: "audio") }
    self.queue = queue
  }

  deinit { av_audio_fifo_free(queue) }

  /// Adds a decoded frame, or if `frame` is `nil`, the samples that remain in the resampler. The format may change
  /// between frames, as in broadcasts.
  public func push(_ frame: Frame?) throws(FFmpegError) {
    if let frame, AudioFormat(frame) != resampler.input {
      try push(nil)
      resampler = try Resampler(from: frame, to: encoder)
    }
    let converted = try self.makeFrame()
    if let frame { setDefaultLayout(&frame.pointer.pointee.ch_layout) }
    try check(
      swr_convert_frame(resampler.context, converted.pointer, frame?.pointer), "swr_convert_frame", on: "audio")
    if converted.sampleCount > 0 { try enqueue(converted) }
  }

  /// The number of samples per channel in the queue.
  public var queuedSampleCount: Int { Int(av_audio_fifo_size(queue)) }

  /// Adds silence to the queue.
  /// - Parameter sampleCount: the number of samples per channel at the encoder's sample rate. All samples are kept in
  ///   memory.
  public func pushSilence(sampleCount: Int) throws(FFmpegError) {
    guard sampleCount > 0 else { return }
    let silence = try makeFrame(sampleCount: sampleCount)
    let raw = silence.pointer.pointee
    try check(
      av_samples_set_silence(
        raw.extended_data, 0, raw.nb_samples, raw.ch_layout.nb_channels, AVSampleFormat(raw.format)),
      "av_samples_set_silence", on: "audio")
    try enqueue(silence)
  }

  /// Returns the next frame of the encoder's frame size, or `nil` if the queue has too few samples. If `isLast` is
  /// `true`, the frame may be shorter.
  public func pull(isLast: Bool) throws(FFmpegError) -> Frame? {
    let available = queuedSampleCount
    let needed = encoder.frameSampleCount > 0 ? encoder.frameSampleCount : available
    let count = isLast ? min(needed, available) : needed
    guard count > 0, available >= count else { return nil }
    let frame = try makeFrame(sampleCount: count)
    try check(av_audio_fifo_read(queue, frame.channelData, Int32(count)), "av_audio_fifo_read", on: "audio")
    return frame
  }

  private func enqueue(_ samples: Frame) throws(FFmpegError) {
    try check(
      av_audio_fifo_write(queue, samples.channelData, samples.pointer.pointee.nb_samples), "av_audio_fifo_write",
      on: "audio")
  }

  /// Creates a frame in the encoder's format.
  /// - Parameter sampleCount: the number of samples per channel to allocate, or `nil` to create a frame without
  ///   buffers.
  private func makeFrame(sampleCount: Int? = nil) throws(FFmpegError) -> Frame {
    let frame = try Frame()
    let target = encoder.pointer
    frame.pointer.pointee.format = target.pointee.sample_fmt.rawValue
    frame.pointer.pointee.sample_rate = target.pointee.sample_rate
    try check(
      av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &target.pointee.ch_layout), "av_channel_layout_copy",
      on: "audio")
    guard let sampleCount else { return frame }
    frame.pointer.pointee.nb_samples = Int32(sampleCount)
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", on: "audio")
    return frame
  }
}

/// The properties of an audio frame that its resampler must match.
private struct AudioFormat: Equatable {
  var sampleFormat: Int32
  var rate: Int32
  var channelCount: Int32
  var mask: UInt64

  init(_ frame: Frame) {
    let raw = frame.pointer.pointee
    (sampleFormat, rate, channelCount) = (raw.format, raw.sample_rate, raw.ch_layout.nb_channels)
    mask = raw.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? raw.ch_layout.u.mask : 0
  }
}

/// A libswresample context for input in one format.
private final class Resampler {
  let input: AudioFormat
  private(set) var context: OpaquePointer?

  init(from frame: Frame, to encoder: Encoder) throws(FFmpegError) {
    input = AudioFormat(frame)
    let target = encoder.pointer
    let source = frame.pointer.pointee
    var layout = source.ch_layout
    setDefaultLayout(&layout)
    try check(
      swr_alloc_set_opts2(
        &context, &target.pointee.ch_layout, target.pointee.sample_fmt, target.pointee.sample_rate, &layout,
        AVSampleFormat(source.format), source.sample_rate, 0, nil),
      "swr_alloc_set_opts2", on: "audio")
    try check(swr_init(context), "swr_init", on: "audio")
  }

  deinit { swr_free(&context) }
}

/// Replaces a channel layout that doesn't specify speakers with the default layout for its channel count.
private func setDefaultLayout(_ layout: inout AVChannelLayout) {
  guard layout.order == AV_CHANNEL_ORDER_UNSPEC else { return }
  av_channel_layout_default(&layout, layout.nb_channels)
}

extension Frame {
  /// The channel pointers (`extended_data`), in the type that libav's audio functions require.
  fileprivate var channelData: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    UnsafeMutableRawPointer(pointer.pointee.extended_data).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
