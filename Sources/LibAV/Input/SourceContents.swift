import CFFmpeg
public import ClipModel

/// A chapter of an open container.
public struct SourceChapter: Equatable, Sendable {
  public var id: Int64
  public var timeBase: Rational
  /// The time in ticks of the time base.
  public var start: Int64
  /// The time in ticks of the time base.
  public var end: Int64
  public var title: String?
}

extension InputContainer {
  public var chapters: [SourceChapter] {
    (0..<Int(pointer.pointee.nb_chapters)).compactMap { index in
      guard let chapter = pointer.pointee.chapters[index]?.pointee else { return nil }
      return SourceChapter(
        id: chapter.id, timeBase: Rational(chapter.time_base), start: chapter.start, end: chapter.end,
        title: dictionary(chapter.metadata)["title"])
    }
  }

  /// The first timestamp of all tracks in seconds; 0 if unknown.
  public var startSeconds: Double {
    let ticks = pointer.pointee.start_time
    return ticks == bsc_AV_NOPTS_VALUE ? 0 : Double(ticks) / Double(AV_TIME_BASE)
  }
}

extension SourceStream {
  /// The duration of the initial audio that players must skip, in ticks of the time base, rounded as in libav.
  public var decoderDelayTicks: Int64 {
    guard parameters.initial_padding > 0, parameters.sample_rate > 0 else { return 0 }
    return av_rescale_q(
      Int64(parameters.initial_padding), AVRational(num: 1, den: parameters.sample_rate), timeBase.raw)
  }

  /// The codec configuration that the container stores, or the content of an attached file.
  public var setup: [UInt8] {
    guard let bytes = parameters.extradata, parameters.extradata_size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(parameters.extradata_size)))
  }

  /// The image in the track of an attached picture.
  public var attachedPicture: [UInt8] {
    let packet = pointer.pointee.attached_pic
    guard let bytes = packet.data, packet.size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(packet.size)))
  }

  /// Whether this is a subtitle track with text, not bitmaps.
  public var isText: Bool {
    guard let descriptor = avcodec_descriptor_get(parameters.codec_id) else { return false }
    return descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
  }

  /// The track's side data of this type; `nil` if there is none.
  func sideData(_ type: AVPacketSideDataType) -> [UInt8]? {
    var size = 0
    return bsc_stream_side_data(pointer, type, &size).map { Array(UnsafeBufferPointer(start: $0, count: size)) }
  }
}
