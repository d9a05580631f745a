import CFFmpeg
import ClipModel

extension RemuxContainer {
  /// Returns whether the format supports the codec of a track. Some of libav's muxers report this incorrectly.
  public func accepts(_ source: SourceStream) -> Bool {
    let codec = source.parameters.codec_id
    if codec == AV_CODEC_ID_NONE { return source.kind == .attachment }
    return avformat_query_codec(pointer.pointee.oformat, codec, FF_COMPLIANCE_EXPERIMENTAL) != 0
  }

  /// The types of track side data that describe only the video or audio.
  private static let sideData: [AVPacketSideDataType] = [
    AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
    AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_AUDIO_SERVICE_TYPE, AV_PKT_DATA_REPLAYGAIN,
  ]

  /// Adds a track for packets that are copied from a source, with the source's color properties, orientation, flags and
  /// codec configuration.
  /// - Parameters:
  ///   - metadata: the metadata with libav's keys, such as `language` and `title`.
  ///   - setup: the codec configuration that replaces the source's configuration.
  /// - Returns: the index of the track.
  public func addTrack(
    copying source: SourceStream, metadata: [String: String], setup: [UInt8]? = nil
  ) throws(FFmpegError) -> Int {
    let stream = try makeStream(copying: source, metadata: metadata)
    if let setup { try setCodecConfiguration(setup, of: stream) }
    stream.pointee.codecpar.pointee.codec_tag = codecTag(of: source)
    stream.pointee.r_frame_rate = source.pointer.pointee.r_frame_rate
    for type in Self.sideData {
      if let bytes = source.sideData(type), !bytes.isEmpty { try setSideData(type, to: bytes, of: stream) }
    }
    if format == .avi, source.kind == .audio { preserveTiming(of: source, in: stream) }
    let index = Int(stream.pointee.index)
    // Matroska stores decoding times only for codecs with AVI tags.
    if format == .matroska || format == .webM, source.parameters.codec_tag == 0 {
      tracksWithGuessedTimes.insert(index)
    }
    return index
  }

  /// Preserves the timing of AVI audio. AVI counts audio blocks, and libav doesn't derive their duration from the
  /// source's time base.
  private func preserveTiming(of source: SourceStream, in stream: UnsafeMutablePointer<AVStream>) {
    let parameters = source.parameters
    // The frames of these codecs have no fixed size, so don't use the size that libav's demuxer makes up.
    if [AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_AAC].contains(parameters.codec_id) {
      stream.pointee.codecpar.pointee.block_align = 0
    } else if parameters.frame_size == 0 {
      let base = source.timeBase
      let samples = Int64(base.numerator) * Int64(parameters.sample_rate)
      guard base.denominator > 0, samples % Int64(base.denominator) == 0 else { return }
      stream.pointee.codecpar.pointee.frame_size = Int32(clamping: samples / Int64(base.denominator))
    }
  }

  /// Adds an attached file, such as a font or a cover picture.
  public func addAttachment(
    copying source: SourceStream, content: [UInt8], metadata: [String: String]
  ) throws(FFmpegError) {
    let stream = try makeStream(copying: source, metadata: metadata)
    stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    stream.pointee.codecpar.pointee.codec_tag = 0
    try setCodecConfiguration(content, of: stream)
  }

  /// Sets the codec configuration, which libav calls "extradata".
  private func setCodecConfiguration(_ setup: [UInt8], of stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    // Add padding, because parsers may read past the end.
    guard let parameters = stream.pointee.codecpar,
      let bytes = av_mallocz(setup.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_mallocz", subject: name) }
    bytes.copyMemory(from: setup, byteCount: setup.count)
    av_freep(&parameters.pointee.extradata)
    parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(setup.count)
  }

  private func makeStream(
    copying source: SourceStream, metadata: [String: String]
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    let stream = try makeStream(copying: source)
    // In transport streams, the track ID is the PID.
    stream.pointee.id = source.pointer.pointee.id
    stream.pointee.disposition = source.pointer.pointee.disposition & ~AV_DISPOSITION_ATTACHED_PIC
    for (key, value) in metadata { av_dict_set(&stream.pointee.metadata, key, value, 0) }
    return stream
  }

  /// Returns the source's codec tag if the output format supports it or has no list of tags, and 0 otherwise.
  private func codecTag(of source: SourceStream) -> UInt32 {
    let parameters = source.parameters
    guard let tags = pointer.pointee.oformat.pointee.codec_tag else { return parameters.codec_tag }
    return av_codec_get_id(tags, parameters.codec_tag) == parameters.codec_id ? parameters.codec_tag : 0
  }
}
