import CFFmpeg
import CMediaShims
public import ClipModel

/// Converts interlaced frames to progressive frames, one per field, with libavfilter's `bwdif`. Must be used on only
/// one thread.
public final class Deinterlacer {
  /// The time base of the output frames. A tick is half as long as in the source, because there are twice as many
  /// frames.
  public let timeBase: Rational
  private let source: Rational
  private var filter: OpaquePointer?
  /// The size and format of the frames for which the filter was opened. The filter would read past the end of a smaller
  /// frame.
  private var layout: (width: Int, height: Int, format: PixelFormat)?
  /// The remaining output of a filter that was closed because the size or format of the frames changed.
  private var pending: [Frame] = []
  private var hasEnded = false

  /// - Parameter sourceTimeBase: the time base of the input frames.
  /// - Throws: an error if half a tick isn't representable, as in a damaged file with more than a billion ticks per second.
  public init(timeBase sourceTimeBase: Rational) throws(FFmpegError) {
    let (denominator, overflows) = sourceTimeBase.denominator.multipliedReportingOverflow(by: 2)
    guard !overflows else { throw FFmpegError(bsc_AVERROR_EINVAL, call: "bwdif", subject: "interlaced frames") }
    source = sourceTimeBase
    timeBase = Rational(sourceTimeBase.numerator, denominator)
  }

  deinit { bsc_deinterlacer_close(filter) }

  /// Sends a frame with a timestamp, or `nil` after the last frame.
  /// - Throws: an error, for example if libavfilter isn't installed.
  public func send(_ frame: Frame?) throws(FFmpegError) {
    guard let frame else {
      guard let filter, !hasEnded else { return }
      hasEnded = true
      try check(bsc_deinterlacer_send(filter, nil), "av_buffersrc_add_frame", on: "frames")
      return
    }
    // Set `pts`, which the filter reads. It is missing if the only timestamp is libav's guess.
    frame.presentationTicks = frame.presentationTicks
    if let layout, !hasEnded, layout != (frame.width, frame.height, frame.pixelFormat) {
      try send(nil)
      while let last = try receiveFilteredFrame() { pending.append(last) }
      bsc_deinterlacer_close(filter)
      (filter, hasEnded) = (nil, false)
    }
    if filter == nil {
      filter = try openFilter(for: frame)
      layout = (frame.width, frame.height, frame.pixelFormat)
    }
    guard let filter else { return }
    try check(bsc_deinterlacer_send(filter, frame.pointer), "av_buffersrc_add_frame", on: "frame")
  }

  /// Returns the next frame, with a timestamp in ticks of `timeBase`. Returns `nil` if the filter needs more input, and
  /// at the end.
  public func receive() throws(FFmpegError) -> Frame? {
    pending.isEmpty ? try receiveFilteredFrame() : pending.removeFirst()
  }

  private func receiveFilteredFrame() throws(FFmpegError) -> Frame? {
    guard let filter else { return nil }
    let frame = try Frame()
    let status = bsc_deinterlacer_receive(filter, frame.pointer)
    guard try CodecOutput(status, "av_buffersink_get_frame", on: "frame") == .produced else { return nil }
    // Ignore libav's guessed timestamp, which is in the source's time base.
    frame.presentationTicks = frame.pointer.pointee.pts == bsc_AV_NOPTS_VALUE ? nil : frame.pointer.pointee.pts
    return frame
  }

  private func openFilter(for frame: Frame) throws(FFmpegError) -> OpaquePointer {
    let raw = frame.pointer.pointee
    var description = bsc_deinterlacer_source(
      width: raw.width, height: raw.height, pixel_format: raw.format, time_base: source.raw,
      color_space: Int32(bitPattern: raw.colorspace.rawValue), color_range: Int32(bitPattern: raw.color_range.rawValue))
    var status: Int32 = 0
    guard let filter = bsc_deinterlacer_open(&description, &status) else {
      throw FFmpegError(status, call: "bwdif", subject: "interlaced frames")
    }
    return filter
  }
}
