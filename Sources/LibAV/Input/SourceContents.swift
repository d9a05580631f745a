import CFFmpeg
public import ClipModel

/// A chapter of an open container.
public struct SourceChapter: Equatable, Sendable {
  public var id: Int64
  public var timeBase: Rational
  /// The start time in ticks of the time base.
  public var start: Int64
  /// The end time in ticks of the time base.
  public var end: Int64
  public var title: String?
}

extension InputContainer {
  public var chapters: [SourceChapter] {
    (0..<Int(pointer.pointee.nb_chapters)).compactMap { index in
      guard let chapter = pointer.pointee.chapters[index]?.pointee else { return nil }
      return SourceChapter(
        id: chapter.id, timeBase: Rational(chapter.time_base), start: chapter.start, end: chapter.end,
        title: makeDictionary(chapter.metadata)["title"])
    }
  }

  /// The earliest timestamp of all tracks in seconds, or 0 if unknown.
  public var startSeconds: Double {
    let ticks = pointer.pointee.start_time
    return ticks == bsc_AV_NOPTS_VALUE ? 0 : Double(ticks) / Double(AV_TIME_BASE)
  }
}

extension SourceStream {
  /// The duration of the initial audio that players must skip, in ticks of the time base. Rounded in the same way as in
  /// libav.
  public var decoderDelayTicks: Int64 {
    guard parameters.initial_padding > 0, parameters.sample_rate > 0 else { return 0 }
    return av_rescale_q(
      Int64(parameters.initial_padding), AVRational(num: 1, den: parameters.sample_rate), timeBase.raw)
  }

  /// The codec configuration that the container stores, or the contents of an attached file.
  public var setup: [UInt8] {
    guard let bytes = parameters.extradata, parameters.extradata_size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(parameters.extradata_size)))
  }

  /// The image data of an attached picture's track.
  public var attachedPicture: [UInt8] {
    let packet = pointer.pointee.attached_pic
    guard let bytes = packet.data, packet.size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(packet.size)))
  }

  /// Whether this is a subtitle track that contains text instead of bitmaps.
  public var isText: Bool {
    guard let descriptor = avcodec_descriptor_get(parameters.codec_id) else { return false }
    return descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
  }

  /// Returns the track's side data of the given type, or `nil` if the track has no such data.
  func sideData(_ type: AVPacketSideDataType) -> [UInt8]? {
    var size = 0
    return bsc_stream_side_data(pointer, type, &size).map { Array(UnsafeBufferPointer(start: $0, count: size)) }
  }
}
