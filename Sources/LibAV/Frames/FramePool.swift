import CFFmpeg

/// A pool of video frames with the same size and format, whose memory is reused. A wrapper for libav's `AVBufferPool`.
///
/// Frames may be requested and released on different threads. The pool's memory is freed after the last frame has been
/// released.
public final class FramePool {
  private var pool: OpaquePointer?
  private let width: Int32
  private let height: Int32
  private let pixelFormat: PixelFormat
  private let subject: String

  /// AVX-512 code in the codecs and in zimg requires this alignment.
  private static let alignment: Int32 = 64

  public init(width: Int, height: Int, pixelFormat: PixelFormat) throws(FFmpegError) {
    self.width = Int32(width)
    self.height = Int32(height)
    self.pixelFormat = pixelFormat
    subject = "\(width)x\(height) \(pixelFormat)"
    let byteCount = av_image_get_buffer_size(pixelFormat.raw, self.width, self.height, Self.alignment)
    try check(byteCount, "av_image_get_buffer_size", on: subject)
    // Leave room for alignment, and for the bytes that codecs read past the last row.
    pool = av_buffer_pool_init(Int(byteCount) + Int(Self.alignment + AV_INPUT_BUFFER_PADDING_SIZE), nil)
    guard pool != nil else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_buffer_pool_init", subject: subject) }
  }

  deinit { av_buffer_pool_uninit(&pool) }

  /// Returns a writable frame. The frame's memory may still contain the pixels of an earlier frame.
  public func makeFrame() throws(FFmpegError) -> Frame {
    let frame = try Frame()
    let buffer = try requireAllocated(av_buffer_pool_get(pool), "av_buffer_pool_get")
    frame.pointer.pointee.buf.0 = buffer
    frame.pointer.pointee.width = width
    frame.pointer.pointee.height = height
    frame.pointer.pointee.format = pixelFormat.raw.rawValue
    let start = buffer.pointee.data.map { UnsafeMutableRawPointer($0).alignedUp(toMultipleOf: Int(Self.alignment)) }
    let status = av_image_fill_arrays(
      frame.pointer.pointee.extended_data, frame.strides, start?.assumingMemoryBound(to: UInt8.self),
      pixelFormat.raw, width, height, Self.alignment)
    try check(status, "av_image_fill_arrays", on: subject)
    return frame
  }
}
