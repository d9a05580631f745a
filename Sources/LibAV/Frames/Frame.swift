import CFFmpeg
public import ClipModel

/// One decoded picture or a run of audio samples: libav's `AVFrame`. Confined to its thread.
public final class Frame {
  let pointer: UnsafeMutablePointer<AVFrame>

  public init() throws(FFmpegError) {
    pointer = try allocated(av_frame_alloc(), "av_frame_alloc")
  }

  /// A writable picture with its own buffers.
  public init(width: Int, height: Int, pixelFormat: PixelFormat) throws(FFmpegError) {
    pointer = try allocated(av_frame_alloc(), "av_frame_alloc")
    pointer.pointee.width = Int32(width)
    pointer.pointee.height = Int32(height)
    pointer.pointee.format = pixelFormat.raw.rawValue
    // 64: what AVX-512 code in the codecs and in zimg wants.
    try check(av_frame_get_buffer(pointer, 64), "av_frame_get_buffer", on: "\(width)x\(height) \(pixelFormat)")
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
  /// The decoder met damage in this frame.
  public var isDamaged: Bool {
    pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }
  /// Samples per channel of an audio frame.
  public var sampleCount: Int { Int(pointer.pointee.nb_samples) }

  /// In ticks of the time base of the stream or encoder it belongs to.
  ///
  /// The time that its packet had; libav's guess (`best_effort_timestamp`) only where packets do not tell. After one
  /// time out of order the guess takes decoding times for all frames to come, and it depends on which frames were
  /// decoded before.
  public var presentationTicks: Int64? {
    get {
      let own = pointer.pointee.pts
      if own != bsc_AV_NOPTS_VALUE { return own }
      let guess = pointer.pointee.best_effort_timestamp
      return guess == bsc_AV_NOPTS_VALUE ? nil : guess
    }
    set {
      pointer.pointee.pts = newValue ?? bsc_AV_NOPTS_VALUE
      pointer.pointee.best_effort_timestamp = bsc_AV_NOPTS_VALUE
    }
  }

  /// Rows of a plane in turn: the visible bytes only, never the padding between them.
  public func withRows(ofPlane plane: Int, _ body: (_ row: Int, UnsafeRawBufferPointer) throws -> Void) rethrows {
    guard let geometry = PlaneGeometry(self, plane: plane) else { return }
    for row in 0..<geometry.rowCount {
      let start = geometry.base + row * geometry.stride
      try body(row, UnsafeRawBufferPointer(start: start, count: geometry.visibleByteCount))
    }
  }

  /// As `withRows(ofPlane:_:)`, to be written to. The frame's buffers have to be its own.
  public func withMutableRows(
    ofPlane plane: Int, _ body: (_ row: Int, UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    guard let geometry = PlaneGeometry(self, plane: plane) else { return }
    for row in 0..<geometry.rowCount {
      let start = geometry.base + row * geometry.stride
      try body(row, UnsafeMutableRawBufferPointer(start: start, count: geometry.visibleByteCount))
    }
  }

  /// The left upper part of this frame, in the same memory. Of a size that halves of its planes reach.
  public func narrowed(width: Int, height: Int) throws(FFmpegError) -> Frame {
    precondition(width <= self.width && height <= self.height, "a part is not larger than the whole")
    let part = try Frame()
    try check(av_frame_ref(part.pointer, pointer), "av_frame_ref", on: "picture")
    part.pointer.pointee.width = Int32(width)
    part.pointer.pointee.height = Int32(height)
    return part
  }

  /// The picture as it is shown: an 8-bit planar frame turned and mirrored; itself when it is upright already.
  public func turned(_ orientation: Orientation) throws(FFmpegError) -> Frame {
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
          // Where the shown pixel is stored: the turn undone, then the mirror.
          var (x, y) =
            switch orientation.clockwiseDegrees {
            case 90: (row, lastRow - column)
            case 180: (lastColumn - column, lastRow - row)
            case 270: (lastColumn - row, column)
            default: (column, row)
            }
          if orientation.isMirrored { x = lastColumn - x }
          // Odd sizes: a chroma plane may be a sample larger than half.
          x = min(max(x, 0), lastColumn)
          y = min(max(y, 0), lastRow)
          target.base[row * target.stride + column] = source.base[y * source.stride + x]
        }
      }
    }
    try check(av_frame_copy_props(result.pointer, pointer), "av_frame_copy_props", on: "picture")
    return result
  }

}

/// Where a plane's bytes lie.
struct PlaneGeometry {
  var base: UnsafeMutablePointer<UInt8>
  /// Bytes from one row to the next; may be negative for bottom-up pictures.
  var stride: Int
  var rowCount: Int
  var visibleByteCount: Int

  init?(_ frame: Frame, plane: Int) {
    let pointer = frame.pointer
    guard (0..<4).contains(plane), let base = planeData(pointer, plane), frame.height > 0 else { return nil }
    let format = AVPixelFormat(pointer.pointee.format)
    let visible = av_image_get_linesize(format, pointer.pointee.width, Int32(plane))
    guard visible > 0, let descriptor = av_pix_fmt_desc_get(format) else { return nil }
    let isChroma = plane == 1 || plane == 2
    let shift = isChroma ? Int(descriptor.pointee.log2_chroma_h) : 0
    self.base = base
    stride = lineSize(pointer, plane)
    rowCount = (frame.height + (1 << shift) - 1) >> shift
    visibleByteCount = Int(visible)
  }
}

/// `AVFrame.data[plane]`: C arrays arrive as tuples.
func planeData(_ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int) -> UnsafeMutablePointer<UInt8>? {
  withUnsafePointer(to: &frame.pointee.data) { tuple in
    tuple.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { $0[plane] }
  }
}

/// `AVFrame.linesize[plane]` in bytes.
func lineSize(_ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int) -> Int {
  withUnsafePointer(to: &frame.pointee.linesize) { tuple in
    tuple.withMemoryRebound(to: Int32.self, capacity: 8) { Int($0[plane]) }
  }
}

func setLineSize(_ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int, _ byteCount: Int) {
  withUnsafeMutablePointer(to: &frame.pointee.linesize) { tuple in
    tuple.withMemoryRebound(to: Int32.self, capacity: 8) { $0[plane] = Int32(clamping: byteCount) }
  }
}
