import CFFmpeg

/// One compressed frame, or a run of audio samples: libav's `AVPacket`. Confined to its thread; readers reuse it.
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

  /// The presentation time in ticks of the stream's time base.
  public var presentationTicks: Int64? {
    get { ticks(pointer.pointee.pts) }
    set { pointer.pointee.pts = newValue ?? bsc_AV_NOPTS_VALUE }
  }

  /// The decoding time in ticks of the stream's time base.
  public var decodingTicks: Int64? {
    get { ticks(pointer.pointee.dts) }
    set { pointer.pointee.dts = newValue ?? bsc_AV_NOPTS_VALUE }
  }

  /// The duration in ticks of the stream's time base; 0 if unknown.
  public var durationTicks: Int64 {
    get { pointer.pointee.duration }
    set { pointer.pointee.duration = newValue }
  }

  public var byteCount: Int { Int(pointer.pointee.size) }
  public var isKeyFrame: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether the packet is decoded but not shown, because an edit list cuts it off.
  public var isDiscarded: Bool {
    get { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    set {
      pointer.pointee.flags =
        newValue ? pointer.pointee.flags | AV_PKT_FLAG_DISCARD : pointer.pointee.flags & ~AV_PKT_FLAG_DISCARD
    }
  }
  public var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  /// The first of the compressed bytes.
  public var firstByte: UInt8? { withBytes { $0.first } }
  /// The last of the compressed bytes.
  public var lastByte: UInt8? { withBytes { $0.last } }
  /// A copy of the compressed bytes.
  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// Calls `body` with the compressed bytes, which are valid only inside it.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  /// Replaces the compressed bytes; times and flags don't change.
  public func replaceBytes(with bytes: [UInt8]) throws(FFmpegError) {
    let other = try Packet()
    try check(av_new_packet(other.pointer, Int32(bytes.count)), "av_new_packet", on: "a packet")
    try check(av_packet_copy_props(other.pointer, pointer), "av_packet_copy_props", on: "a packet")
    other.pointer.pointee.data.update(from: bytes, count: bytes.count)
    reset()
    av_packet_move_ref(pointer, other.pointer)
  }

  /// Changes the side data: an alpha plane, HDR10+, subtitle settings.
  /// - Parameter change: returns the same number of bytes, or `nil` to keep them unchanged.
  public func changeSideData(_ change: ([UInt8]) -> [UInt8]?) {
    for index in 0..<Int(pointer.pointee.side_data_elems) {
      let entry = pointer.pointee.side_data[index]
      guard let data = entry.data, entry.size > 0 else { continue }
      let bytes = Array(UnsafeBufferPointer(start: data, count: entry.size))
      if let changed = change(bytes), changed.count == bytes.count { data.update(from: changed, count: changed.count) }
    }
  }

  func reset() { av_packet_unref(pointer) }

  private func ticks(_ value: Int64) -> Int64? { value == bsc_AV_NOPTS_VALUE ? nil : value }
}
