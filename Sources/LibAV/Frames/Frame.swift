import CFFmpeg
public import ClipModel

/// A decoded video frame, or a block of audio samples. A wrapper for libav's `AVFrame`, which must be used on only one
/// thread at a time.
public final class Frame {
  let pointer: UnsafeMutablePointer<AVFrame>

  public init() throws(FFmpegError) {
    pointer = try requireAllocated(av_frame_alloc(), "av_frame_alloc")
  }

  /// Creates a writable video frame and allocates its buffers.
  public init(width: Int, height: Int, pixelFormat: PixelFormat) throws(FFmpegError) {
    pointer = try requireAllocated(av_frame_alloc(), "av_frame_alloc")
    pointer.pointee.width = Int32(width)
    pointer.pointee.height = Int32(height)
    pointer.pointee.format = pixelFormat.raw.rawValue
    // AVX-512 code in the codecs and in zimg requires 64-byte alignment.
    try check(av_frame_get_buffer(pointer, 64), "av_frame_get_buffer", on: "\(width)x\(height) \(pixelFormat)")
  }

  public convenience init(_ layout: FrameLayout) throws(FFmpegError) {
    try self.init(width: layout.width, height: layout.height, pixelFormat: layout.pixelFormat)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&owned)
  }

  public var width: Int { Int(pointer.pointee.width) }
  public var height: Int { Int(pointer.pointee.height) }
  public var pixelFormat: PixelFormat { PixelFormat(AVPixelFormat(pointer.pointee.format)) }
  public var isKeyFrame: Bool { bsc_frame_is_key(pointer) != 0 }
  public var isInterlaced: Bool { bsc_frame_is_interlaced(pointer) != 0 }
  /// Whether the decoder has flagged this frame as damaged.
  public var isDamaged: Bool {
    pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }
  /// The number of samples per channel in an audio frame.
  public var sampleCount: Int { Int(pointer.pointee.nb_samples) }

  /// The presentation time in ticks of the stream's or encoder's time base.
  ///
  /// The time comes from the frame's packet. libav's guess (`best_effort_timestamp`) is used only if the packets have
  /// no timestamps, because it depends on previously decoded frames and switches to decoding times after a single
  /// out-of-order timestamp.
  public var presentationTicks: Int64? {
    get { [pointer.pointee.pts, pointer.pointee.best_effort_timestamp].first { $0 != bsc_AV_NOPTS_VALUE } }
    set {
      pointer.pointee.pts = newValue ?? bsc_AV_NOPTS_VALUE
      pointer.pointee.best_effort_timestamp = bsc_AV_NOPTS_VALUE
    }
  }

  /// Calls `body` for each row of a plane, with the visible bytes of the row but not the padding.
  public func withRows(ofPlane plane: Int, _ body: (_ row: Int, UnsafeRawBufferPointer) throws -> Void) rethrows {
    try withMutableRows(ofPlane: plane) { try body($0, UnsafeRawBufferPointer($1)) }
  }

  /// Calls `body` for each row of a plane in the same way as `withRows(ofPlane:_:)`, with writable bytes. The frame's
  /// buffers must not be shared.
  public func withMutableRows(
    ofPlane plane: Int, _ body: (_ row: Int, UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    guard let geometry = PlaneGeometry(self, plane: plane) else { return }
    for row in 0..<geometry.rowCount {
      let start = geometry.base + row * geometry.stride
      try body(row, UnsafeMutableRawBufferPointer(start: start, count: geometry.visibleByteCount))
    }
  }

  /// The pointer to a plane's data (`AVFrame.data[plane]`).
  func planeData(_ plane: Int) -> UnsafeMutablePointer<UInt8>? { pointer.pointee.extended_data?[plane] }

  /// The distance between two rows of a plane in bytes, which is negative in bottom-up frames.
  func stride(_ plane: Int) -> Int { Int(strides[plane]) }

  /// The row strides of all planes (`AVFrame.linesize`), which Swift imports as a tuple.
  var strides: UnsafeMutablePointer<Int32> {
    withUnsafeMutablePointer(to: &pointer.pointee.linesize) {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: Int32.self)
    }
  }
}

// MARK: Copies

extension Frame {
  /// Returns a second frame that shares this frame's buffers but has its own timestamp.
  public func copy() throws(FFmpegError) -> Frame {
    let copy = try Frame()
    try check(av_frame_ref(copy.pointer, pointer), "av_frame_ref", on: "frame")
    return copy
  }

  /// Returns the top left part of this frame, which shares this frame's buffers.
  /// - Precondition: the part isn't larger than the frame.
  public func cropped(width: Int, height: Int) throws(FFmpegError) -> Frame {
    precondition(width <= self.width && height <= self.height, "the part is larger than the frame")
    let part = try copy()
    part.pointer.pointee.width = Int32(width)
    part.pointer.pointee.height = Int32(height)
    return part
  }

  /// Returns the upper field as a frame with half the height and no combing. The field shares this frame's buffers.
  public func upperField() throws(FFmpegError) -> Frame {
    let field = try copy()
    for plane in 0..<4 { field.strides[plane] = Int32(clamping: stride(plane) * 2) }
    field.pointer.pointee.height = pointer.pointee.height / 2
    return field
  }

  /// Returns a copy with the plane alignment that `ZimgGraph` requires.
  public func alignedCopy() throws(FFmpegError) -> Frame {
    let copy = try Frame(width: width, height: height, pixelFormat: pixelFormat)
    try check(av_frame_copy(copy.pointer, pointer), "av_frame_copy", on: "frame")
    try copy.copyProperties(of: self)
    return copy
  }

  /// Returns an 8-bit planar frame that is rotated and mirrored for display, or this frame if it is already upright.
  public func oriented(_ orientation: Orientation) throws(FFmpegError) -> Frame {
    guard orientation != .upright else { return self }
    let swaps = orientation.swapsAxes
    let result = try Frame(width: swaps ? height : width, height: swaps ? width : height, pixelFormat: pixelFormat)
    for index in 0..<4 {
      guard let source = PlaneGeometry(self, plane: index), let target = PlaneGeometry(result, plane: index) else {
        break
      }
      let (lastColumn, lastRow) = (source.visibleByteCount - 1, source.rowCount - 1)
      for row in 0..<target.rowCount {
        for column in 0..<target.visibleByteCount {
          // Find the stored position of the displayed pixel: undo the rotation first, then the mirroring.
          var (x, y) =
            switch orientation.clockwiseDegrees {
            case 90: (row, lastRow - column)
            case 180: (lastColumn - column, lastRow - row)
            case 270: (lastColumn - row, column)
            default: (column, row)
            }
          if orientation.isMirrored { x = lastColumn - x }
          // If the frame size is odd, the size of a chroma plane is rounded up.
          x = min(max(x, 0), lastColumn)
          y = min(max(y, 0), lastRow)
          target.base[row * target.stride + column] = source.base[y * source.stride + x]
        }
      }
    }
    try result.copyProperties(of: self)
    return result
  }

  /// Copies the timestamps, tags and side data of a frame.
  func copyProperties(of other: Frame) throws(FFmpegError) {
    try check(av_frame_copy_props(pointer, other.pointer), "av_frame_copy_props", on: "frame")
  }
}

/// The memory layout of a plane.
private struct PlaneGeometry {
  var base: UnsafeMutablePointer<UInt8>
  /// The distance between two rows in bytes, which is negative in bottom-up frames.
  var stride: Int
  var rowCount: Int
  var visibleByteCount: Int

  init?(_ frame: Frame, plane: Int) {
    guard (0..<4).contains(plane), let base = frame.planeData(plane), frame.height > 0 else { return nil }
    let format = frame.pixelFormat.raw
    let visible = av_image_get_linesize(format, frame.pointer.pointee.width, Int32(plane))
    guard visible > 0, let descriptor = av_pix_fmt_desc_get(format) else { return nil }
    let isChroma = plane == 1 || plane == 2
    let shift = isChroma ? Int(descriptor.pointee.log2_chroma_h) : 0
    self.base = base
    stride = frame.stride(plane)
    rowCount = (frame.height + (1 << shift) - 1) >> shift
    visibleByteCount = Int(visible)
  }
}
