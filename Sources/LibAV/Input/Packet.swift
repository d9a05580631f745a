import CFFmpeg
public import ClipModel

/// A compressed video frame, or a block of compressed audio. A wrapper for libav's `AVPacket`, which must be used on
/// only one thread. Readers reuse packets.
public final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  public init() throws(FFmpegError) {
    pointer = try requireAllocated(av_packet_alloc(), "av_packet_alloc")
  }

  /// Creates a packet that contains a copy of `bytes`.
  public convenience init(bytes: ArraySlice<UInt8>, isKeyFrame: Bool) throws(FFmpegError) {
    try self.init()
    try replaceBytes(with: Array(bytes))
    if isKeyFrame { pointer.pointee.flags |= AV_PKT_FLAG_KEY }
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
    get { ticksIfDefined(pointer.pointee.pts) }
    set { pointer.pointee.pts = newValue ?? bsc_AV_NOPTS_VALUE }
  }

  /// The decoding time in ticks of the stream's time base.
  public var decodingTicks: Int64? {
    get { ticksIfDefined(pointer.pointee.dts) }
    set { pointer.pointee.dts = newValue ?? bsc_AV_NOPTS_VALUE }
  }

  /// The duration in ticks of the stream's time base, or 0 if unknown.
  public var durationTicks: Int64 {
    get { pointer.pointee.duration }
    set { pointer.pointee.duration = newValue }
  }

  public var byteCount: Int { Int(pointer.pointee.size) }
  public var isKeyFrame: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether the packet is decoded but not shown, because the edit list hides it.
  public var isDiscarded: Bool {
    get { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    set {
      pointer.pointee.flags =
        newValue ? pointer.pointee.flags | AV_PKT_FLAG_DISCARD : pointer.pointee.flags & ~AV_PKT_FLAG_DISCARD
    }
  }
  public var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  /// The first byte of the compressed data.
  public var firstByte: UInt8? { withBytes { $0.first } }
  /// The last byte of the compressed data.
  public var lastByte: UInt8? { withBytes { $0.last } }
  /// A copy of the compressed data.
  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// Calls `body` with the compressed data, which is valid only during the call.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  /// Converts the timestamps and the duration to another time base, rounded to the nearest tick.
  public func rescaleTicks(from source: Rational, to target: Rational) {
    av_packet_rescale_ts(pointer, source.raw, target.raw)
  }

  /// Replaces the compressed data. Timestamps and flags don't change.
  public func replaceBytes(with bytes: [UInt8]) throws(FFmpegError) {
    let other = try Packet()
    try check(av_new_packet(other.pointer, Int32(bytes.count)), "av_new_packet", on: "a packet")
    try check(av_packet_copy_props(other.pointer, pointer), "av_packet_copy_props", on: "a packet")
    other.pointer.pointee.data.update(from: bytes, count: bytes.count)
    reset()
    av_packet_move_ref(pointer, other.pointer)
  }

  /// Changes the packet's side data, such as an alpha plane, HDR10+ metadata or subtitle settings.
  /// - Parameter change: receives the bytes of each side data entry, and returns the same number of bytes, or `nil` to
  ///   keep the entry unchanged.
  public func changeSideData(_ change: ([UInt8]) -> [UInt8]?) {
    for index in 0..<Int(pointer.pointee.side_data_elems) {
      let entry = pointer.pointee.side_data[index]
      guard let data = entry.data, entry.size > 0 else { continue }
      let bytes = Array(UnsafeBufferPointer(start: data, count: entry.size))
      if let changed = change(bytes), changed.count == bytes.count { data.update(from: changed, count: changed.count) }
    }
  }

  func reset() { av_packet_unref(pointer) }

  private func ticksIfDefined(_ value: Int64) -> Int64? { value == bsc_AV_NOPTS_VALUE ? nil : value }
}
