import CFFmpeg
public import ClipModel

/// A chapter of an opened container.
public struct SourceChapter: Equatable, Sendable {
  public var id: Int64
  public var timeBase: Rational
  /// In ticks of the time base.
  public var start: Int64
  public var end: Int64
  public var title: String?
}

/// What a container has beside packets, as a copy of it needs it.
extension InputContainer {
  public var chapters: [SourceChapter] {
    (0..<Int(pointer.pointee.nb_chapters)).compactMap { index in
      guard let chapter = pointer.pointee.chapters[index] else { return nil }
      return SourceChapter(
        id: chapter.pointee.id, timeBase: Rational(chapter.pointee.time_base), start: chapter.pointee.start,
        end: chapter.pointee.end, title: dictionary(chapter.pointee.metadata)["title"])
    }
  }

  /// The first time stamp of all tracks, in seconds; 0 when unknown.
  public var startSeconds: Double {
    let ticks = pointer.pointee.start_time
    return ticks == bsc_AV_NOPTS_VALUE ? 0 : Double(ticks) / Double(AV_TIME_BASE)
  }
}

extension SourceStream {
  /// What a decoder of sound puts out first and a player must not play, in ticks of the time base, rounded as libav
  /// rounds it when it takes it off the times.
  public var decoderDelayTicks: Int64 {
    guard parameters.initial_padding > 0, parameters.sample_rate > 0 else { return 0 }
    return av_rescale_q(
      Int64(parameters.initial_padding), AVRational(num: 1, den: parameters.sample_rate), timeBase.raw)
  }

  /// What the container keeps for the decoder, or the whole of an attached file.
  public var setup: [UInt8] {
    guard let bytes = parameters.extradata, parameters.extradata_size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(parameters.extradata_size)))
  }

  /// The one picture of an attached picture's track.
  public var attachedPicture: [UInt8] {
    let packet = pointer.pointee.attached_pic
    guard let bytes = packet.data, packet.size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(packet.size)))
  }

  /// Subtitles that are text and not bitmaps.
  public var isText: Bool {
    guard let descriptor = avcodec_descriptor_get(parameters.codec_id) else { return false }
    return descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
  }
}

extension Packet {
  /// A copy of the compressed bytes.
  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// Puts other bytes in place of the compressed ones; times and flags stay.
  public func replaceBytes(with bytes: [UInt8]) throws(FFmpegError) {
    let other = try Packet()
    try check(av_new_packet(other.pointer, Int32(bytes.count)), "av_new_packet", on: "a packet")
    try check(av_packet_copy_props(other.pointer, pointer), "av_packet_copy_props", on: "a packet")
    other.pointer.pointee.data.update(from: bytes, count: bytes.count)
    reset()
    av_packet_move_ref(pointer, other.pointer)
  }

  /// Changes what travels beside the bytes: an alpha picture, HDR10+, the settings of a subtitle.
  /// - Parameter change: gives bytes of the same number, or `nil` to leave them as they are.
  public func changeSideData(_ change: ([UInt8]) -> [UInt8]?) {
    for index in 0..<Int(pointer.pointee.side_data_elems) {
      let entry = pointer.pointee.side_data[index]
      guard let data = entry.data, entry.size > 0 else { continue }
      let bytes = Array(UnsafeBufferPointer(start: data, count: entry.size))
      if let changed = change(bytes), changed.count == bytes.count { data.update(from: changed, count: changed.count) }
    }
  }
}
