import CFFmpeg

/// Turns decoded sound into frames of the size, rate, layout and sample format that an encoder wants, by libswresample
/// and a queue of samples. Confined to one thread.
public final class AudioConverter {
  private var resampler: OpaquePointer
  private let queue: OpaquePointer
  private let encoder: Encoder

  /// - Parameter first: the first decoded frame.
  public init(first: Frame, encoder: Encoder) throws(FFmpegError) {
    self.encoder = encoder
    let target = encoder.pointer
    resampler = try AudioConverter.resampler(from: first, to: encoder)
    source = Source(first)
    guard
      let queue = av_audio_fifo_alloc(
        target.pointee.sample_fmt, target.pointee.ch_layout.nb_channels, max(target.pointee.frame_size, 1))
    else {
      var owned: OpaquePointer? = resampler
      swr_free(&owned)
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_audio_fifo_alloc", subject: "sound")
    }
    self.queue = queue
  }

  /// What has to stay the same for a resampler.
  private struct Source: Equatable {
    var format: Int32
    var rate: Int32
    var channels: Int32
    var mask: UInt64

    init(_ frame: Frame) {
      let raw = frame.pointer.pointee
      (format, rate, channels) = (raw.format, raw.sample_rate, raw.ch_layout.nb_channels)
      mask = raw.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? raw.ch_layout.u.mask : 0
    }
  }

  private var source: Source

  private static func resampler(from first: Frame, to encoder: Encoder) throws(FFmpegError) -> OpaquePointer {
    let target = encoder.pointer
    var context: OpaquePointer?
    var sourceLayout = first.pointer.pointee.ch_layout
    if sourceLayout.order == AV_CHANNEL_ORDER_UNSPEC {
      // The source names no speakers: take the usual ones for that many channels.
      av_channel_layout_default(&sourceLayout, sourceLayout.nb_channels)
    }
    try check(
      swr_alloc_set_opts2(
        &context, &target.pointee.ch_layout, target.pointee.sample_fmt, target.pointee.sample_rate, &sourceLayout,
        AVSampleFormat(first.pointer.pointee.format), first.pointer.pointee.sample_rate, 0, nil),
      "swr_alloc_set_opts2", on: "sound")
    guard let context else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: "swr_alloc_set_opts2", subject: "sound") }
    let status = swr_init(context)
    if status < 0 {
      var owned: OpaquePointer? = context
      swr_free(&owned)
    }
    try check(status, "swr_init", on: "sound")
    return context
  }

  deinit {
    var owned: OpaquePointer? = resampler
    swr_free(&owned)
    av_audio_fifo_free(queue)
  }

  /// Adds a decoded frame, or with `nil` what the resampler still holds. Frames may change their kind: broadcasts do.
  public func push(_ frame: Frame?) throws(FFmpegError) {
    if let frame, Source(frame) != source {
      try push(nil)
      let next = try AudioConverter.resampler(from: frame, to: encoder)
      var old: OpaquePointer? = resampler
      swr_free(&old)
      resampler = next
      source = Source(frame)
    }
    let converted = try Frame()
    let target = encoder.pointer
    converted.pointer.pointee.format = target.pointee.sample_fmt.rawValue
    converted.pointer.pointee.sample_rate = target.pointee.sample_rate
    try check(
      av_channel_layout_copy(&converted.pointer.pointee.ch_layout, &target.pointee.ch_layout),
      "av_channel_layout_copy", on: "sound")
    if let frame, frame.pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
      let count = frame.pointer.pointee.ch_layout.nb_channels
      av_channel_layout_default(&frame.pointer.pointee.ch_layout, count)
    }
    try check(swr_convert_frame(resampler, converted.pointer, frame?.pointer), "swr_convert_frame", on: "sound")
    guard converted.sampleCount > 0 else { return }
    try enqueue(converted)
  }

  /// Samples per channel that wait for the encoder.
  public var queuedSampleCount: Int { Int(av_audio_fifo_size(queue)) }

  /// Adds silence, in samples per channel at the encoder's rate.
  public func pushSilence(sampleCount: Int) throws(FFmpegError) {
    var left = sampleCount
    while left > 0 {
      // A second at a time: a gap may be long.
      let count = min(left, Int(encoder.pointer.pointee.sample_rate))
      let silence = try emptyFrame(sampleCount: count)
      let pointer = silence.pointer
      let format = AVSampleFormat(pointer.pointee.format)
      let channels = pointer.pointee.ch_layout.nb_channels
      try check(
        av_samples_set_silence(pointer.pointee.extended_data, 0, Int32(count), channels, format),
        "av_samples_set_silence", on: "sound")
      try enqueue(silence)
      left -= count
    }
  }

  private func enqueue(_ samples: Frame) throws(FFmpegError) {
    let data = UnsafeMutableRawPointer(samples.pointer.pointee.extended_data)
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    try check(av_audio_fifo_write(queue, data, samples.pointer.pointee.nb_samples), "av_audio_fifo_write", on: "sound")
  }

  /// A frame like the encoder wants it, with room for this many samples per channel.
  private func emptyFrame(sampleCount: Int) throws(FFmpegError) -> Frame {
    let frame = try Frame()
    let target = encoder.pointer
    frame.pointer.pointee.format = target.pointee.sample_fmt.rawValue
    frame.pointer.pointee.sample_rate = target.pointee.sample_rate
    frame.pointer.pointee.nb_samples = Int32(sampleCount)
    try check(
      av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &target.pointee.ch_layout), "av_channel_layout_copy",
      on: "sound")
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", on: "sound")
    return frame
  }

  /// The next frame of the encoder's size; with `isLast` also a shorter one; `nil` when there is not enough.
  public func pull(isLast: Bool) throws(FFmpegError) -> Frame? {
    let available = Int(av_audio_fifo_size(queue))
    let wanted = encoder.frameSampleCount > 0 ? encoder.frameSampleCount : available
    let count = isLast ? min(wanted, available) : wanted
    guard count > 0, available >= count else { return nil }
    let frame = try emptyFrame(sampleCount: count)
    let data = UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    try check(av_audio_fifo_read(queue, data, Int32(count)), "av_audio_fifo_read", on: "sound")
    return frame
  }
}
