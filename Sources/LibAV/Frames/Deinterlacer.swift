import CFFmpeg
import CMediaShims
public import ClipModel

/// Interlaced pictures to twice as many whole ones: libavfilter's `bwdif`, one picture for each field. Confined to one
/// thread.
public final class Deinterlacer {
  /// Half of the source's: between two frames there is one more.
  public let timeBase: Rational
  private let source: Rational
  private var filter: OpaquePointer?
  /// What the filter was made for: it reads a picture of another size beyond its end.
  private var layout: (width: Int, height: Int, format: PixelFormat)?
  /// Pictures of a filter that was closed because the next frame is another size.
  private var pending: [Frame] = []
  private var hasEnded = false

  /// - Parameter sourceTimeBase: of the frames' timestamps.
  public init(timeBase sourceTimeBase: Rational) {
    source = sourceTimeBase
    timeBase = Rational(sourceTimeBase.numerator, sourceTimeBase.denominator * 2)
  }

  deinit { bsc_deinterlacer_close(filter) }

  /// Hands over a frame with its timestamp; `nil` says that no more will come.
  /// - Throws: also when libavfilter is not installed.
  public func send(_ frame: Frame?) throws(FFmpegError) {
    guard let frame else {
      guard let filter, !hasEnded else { return }
      hasEnded = true
      try check(bsc_deinterlacer_send(filter, nil), "av_buffersrc_add_frame", on: "pictures")
      return
    }
    // The filter goes by `pts`, which a decoder may leave open where its own guess is better.
    frame.presentationTicks = frame.presentationTicks
    if let layout, !hasEnded, layout != (frame.width, frame.height, frame.pixelFormat) {
      try send(nil)
      while let last = try filtered() { pending.append(last) }
      bsc_deinterlacer_close(filter)
      (filter, hasEnded) = (nil, false)
    }
    if filter == nil {
      filter = try opened(for: frame)
      layout = (frame.width, frame.height, frame.pixelFormat)
    }
    guard let filter else { return }
    try check(bsc_deinterlacer_send(filter, frame.pointer), "av_buffersrc_add_frame", on: "picture")
  }

  /// The next picture, in ticks of `timeBase`; `nil` when more has to be sent first, and at the end.
  public func receive() throws(FFmpegError) -> Frame? {
    if !pending.isEmpty { return pending.removeFirst() }
    return try filtered()
  }

  private func filtered() throws(FFmpegError) -> Frame? {
    guard let filter else { return nil }
    let frame = try Frame()
    let status = bsc_deinterlacer_receive(filter, frame.pointer)
    if status == bsc_AVERROR_EAGAIN || status == bsc_AVERROR_EOF { return nil }
    try check(status, "av_buffersink_get_frame", on: "picture")
    // Whatever the decoder thought of the frame is about the other time base.
    frame.presentationTicks = frame.pointer.pointee.pts == bsc_AV_NOPTS_VALUE ? nil : frame.pointer.pointee.pts
    return frame
  }

  private func opened(for frame: Frame) throws(FFmpegError) -> OpaquePointer {
    let raw = frame.pointer.pointee
    var description = bsc_deinterlacer_source(
      width: raw.width, height: raw.height, pixel_format: raw.format, time_base: source.raw,
      color_space: Int32(bitPattern: raw.colorspace.rawValue), color_range: Int32(bitPattern: raw.color_range.rawValue))
    var status: Int32 = 0
    guard let filter = bsc_deinterlacer_open(&description, &status) else {
      throw FFmpegError(status, call: "bwdif", subject: "interlaced pictures")
    }
    return filter
  }
}
