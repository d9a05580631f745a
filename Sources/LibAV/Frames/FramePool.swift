import CFFmpeg

/// Pictures of one kind whose memory is used again once nobody holds them: libav's `AVBufferPool`.
///
/// Taking and giving back may happen on different threads; the pool lives on until its last picture is gone.
public final class FramePool {
  private var pool: OpaquePointer?
  private let width: Int
  private let height: Int
  private let pixelFormat: PixelFormat

  /// What AVX-512 code in the codecs and in zimg wants.
  private static let alignment = 64

  public init(width: Int, height: Int, pixelFormat: PixelFormat) throws(FFmpegError) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    let subject = "\(width)x\(height) \(pixelFormat)"
    let byteCount = av_image_get_buffer_size(
      pixelFormat.raw, Int32(width), Int32(height), Int32(FramePool.alignment))
    try check(byteCount, "av_image_get_buffer_size", on: subject)
    // Room to begin at an aligned address, and for what codecs read beyond the last row.
    pool = av_buffer_pool_init(Int(byteCount) + FramePool.alignment + Int(AV_INPUT_BUFFER_PADDING_SIZE), nil)
    guard pool != nil else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_buffer_pool_init", subject: subject) }
  }

  deinit { av_buffer_pool_uninit(&pool) }

  /// A writable picture; what is in it is left over from another one.
  public func frame() throws(FFmpegError) -> Frame {
    let frame = try Frame()
    let buffer = try allocated(av_buffer_pool_get(pool), "av_buffer_pool_get")
    frame.pointer.pointee.buf.0 = buffer
    frame.pointer.pointee.width = Int32(width)
    frame.pointer.pointee.height = Int32(height)
    frame.pointer.pointee.format = pixelFormat.raw.rawValue
    let start = buffer.pointee.data.map { UnsafeMutableRawPointer($0).alignedUp(toMultipleOf: FramePool.alignment) }
    let status = withUnsafeMutableBytes(of: &frame.pointer.pointee.data) { data in
      withUnsafeMutableBytes(of: &frame.pointer.pointee.linesize) { strides in
        av_image_fill_arrays(
          data.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self).baseAddress,
          strides.assumingMemoryBound(to: Int32.self).baseAddress, start?.assumingMemoryBound(to: UInt8.self),
          pixelFormat.raw, Int32(width), Int32(height), Int32(FramePool.alignment))
      }
    }
    try check(status, "av_image_fill_arrays", on: "\(width)x\(height) \(pixelFormat)")
    frame.pointer.pointee.extended_data = withUnsafeMutablePointer(to: &frame.pointer.pointee.data) {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
    }
    return frame
  }
}
