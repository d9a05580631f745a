import CFFmpeg

/// One compressed frame or a run of audio samples: libav's `AVPacket`. Confined to its thread; reused by readers.
public final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  public init() throws(FFmpegError) {
    pointer = try allocated(av_packet_alloc(), "av_packet_alloc")
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&owned)
  }

  public var streamIndex: Int {
    get { Int(pointer.pointee.stream_index) }
    set { pointer.pointee.stream_index = Int32(newValue) }
  }

  /// Presentation time in ticks of its stream's time base.
  public var presentationTicks: Int64? {
    get { ticks(pointer.pointee.pts) }
    set { pointer.pointee.pts = newValue ?? bsc_AV_NOPTS_VALUE }
  }

  /// Decoding time in ticks of its stream's time base.
  public var decodingTicks: Int64? {
    get { ticks(pointer.pointee.dts) }
    set { pointer.pointee.dts = newValue ?? bsc_AV_NOPTS_VALUE }
  }

  /// 0 when unknown.
  public var durationTicks: Int64 {
    get { pointer.pointee.duration }
    set { pointer.pointee.duration = newValue }
  }

  public var byteCount: Int { Int(pointer.pointee.size) }
  public var isKeyFrame: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Needed for decoding but not shown: an edit list cut it off.
  public var isDiscarded: Bool {
    get { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    set {
      pointer.pointee.flags =
        newValue ? pointer.pointee.flags | AV_PKT_FLAG_DISCARD : pointer.pointee.flags & ~AV_PKT_FLAG_DISCARD
    }
  }
  public var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  /// The first of the compressed bytes; `nil` when there is none.
  public var firstByte: UInt8? { withBytes { $0.first } }
  /// The last of the compressed bytes; `nil` when there is none.
  public var lastByte: UInt8? { withBytes { $0.last } }

  /// The compressed bytes, valid inside `body`.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  func reset() { av_packet_unref(pointer) }

  /// Moves timestamps and duration from one time base to another, as the muxer's stream wants them.
  func rescale(from source: AVRational, to target: AVRational) {
    av_packet_rescale_ts(pointer, source, target)
  }

  private func ticks(_ value: Int64) -> Int64? { value == bsc_AV_NOPTS_VALUE ? nil : value }
}
