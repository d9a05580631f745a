import CFFmpeg
import ClipModel

/// Tracks and files of a source, as its copy gets them.
extension RemuxContainer {
  /// Whether this kind of file has a place for a codec; libav's muxers do not all know.
  public func accepts(_ source: SourceStream) -> Bool {
    let codec = source.parameters.codec_id
    if codec == AV_CODEC_ID_NONE { return source.kind == .attachment }
    return avformat_query_codec(pointer.pointee.oformat, codec, FF_COMPLIANCE_EXPERIMENTAL) != 0
  }

  /// Side data of a track that is about the picture or the sound, and about nothing else.
  private static let sideData: [AVPacketSideDataType] = [
    AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
    AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_AUDIO_SERVICE_TYPE, AV_PKT_DATA_REPLAYGAIN,
  ]

  /// A track whose packets are copied from a source, with its colour, orientation, flags and decoder's setup.
  /// - Parameters:
  ///   - metadata: libav's keys: `language`, `title`.
  ///   - setup: for the decoder, in place of what the source has.
  /// - Returns: its index.
  public func addTrack(
    copying source: SourceStream, metadata: [String: String], setup: [UInt8]? = nil
  ) throws(FFmpegError) -> Int {
    let stream = try newStream(copying: source, metadata: metadata)
    if let setup { try setSetup(setup, of: stream) }
    stream.pointee.codecpar.pointee.codec_tag = codecTag(of: source)
    stream.pointee.time_base = source.pointer.pointee.time_base
    stream.pointee.avg_frame_rate = source.pointer.pointee.avg_frame_rate
    stream.pointee.r_frame_rate = source.pointer.pointee.r_frame_rate
    stream.pointee.sample_aspect_ratio = source.pointer.pointee.sample_aspect_ratio
    for type in Self.sideData { try copySideData(type, from: source, to: stream) }
    if format == .avi, source.kind == .audio { keepTiming(of: source, in: stream) }
    let index = Int(stream.pointee.index)
    // Matroska has decoding times only for codecs that it borrows from AVI with their tags.
    if format == .matroska || format == .webM, source.parameters.codec_tag == 0 { guessedTracks.insert(index) }
    return index
  }

  /// AVI counts blocks of sound, and libav works out how long one is from other facts than the source's time base.
  private func keepTiming(of source: SourceStream, in stream: UnsafeMutablePointer<AVStream>) {
    let parameters = source.parameters
    // Frames without a fixed size: what libav's reader makes up for one would be taken for it.
    if [AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_AAC].contains(parameters.codec_id) {
      stream.pointee.codecpar.pointee.block_align = 0
    } else if parameters.frame_size == 0 {
      let base = source.timeBase
      let samples = Int64(base.numerator) * Int64(parameters.sample_rate)
      guard base.denominator > 0, samples % Int64(base.denominator) == 0 else { return }
      stream.pointee.codecpar.pointee.frame_size = Int32(clamping: samples / Int64(base.denominator))
    }
  }

  /// A file inside the file: a font, a cover.
  public func addAttachment(
    copying source: SourceStream, content: [UInt8], metadata: [String: String]
  ) throws(FFmpegError) {
    let stream = try newStream(copying: source, metadata: metadata)
    guard let parameters = stream.pointee.codecpar else { return }
    parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    parameters.pointee.codec_tag = 0
    try setSetup(content, of: stream)
  }

  /// libav calls it extradata.
  private func setSetup(_ setup: [UInt8], of stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    // Parsers may read behind the end.
    guard let parameters = stream.pointee.codecpar,
      let bytes = av_mallocz(setup.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_mallocz", subject: name) }
    bytes.copyMemory(from: setup, byteCount: setup.count)
    av_freep(&parameters.pointee.extradata)
    parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(setup.count)
  }

  private func newStream(
    copying source: SourceStream, metadata: [String: String]
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    try stage.check(.tracks, "avformat_new_stream", on: name)
    let stream = try allocated(avformat_new_stream(pointer, nil), "avformat_new_stream")
    try check(
      avcodec_parameters_copy(stream.pointee.codecpar, source.pointer.pointee.codecpar), "avcodec_parameters_copy",
      on: name)
    bsc_parameters_drop_side_data(stream.pointee.codecpar)
    // The PID in transport streams.
    stream.pointee.id = source.pointer.pointee.id
    stream.pointee.disposition = source.pointer.pointee.disposition & ~AV_DISPOSITION_ATTACHED_PIC
    for (key, value) in metadata { av_dict_set(&stream.pointee.metadata, key, value, 0) }
    return stream
  }

  /// The container's own code for the codec, if this kind of file knows it or has no list.
  private func codecTag(of source: SourceStream) -> UInt32 {
    let parameters = source.parameters
    guard let tags = pointer.pointee.oformat.pointee.codec_tag else { return parameters.codec_tag }
    return av_codec_get_id(tags, parameters.codec_tag) == parameters.codec_id ? parameters.codec_tag : 0
  }

  private func copySideData(
    _ type: AVPacketSideDataType, from source: SourceStream, to stream: UnsafeMutablePointer<AVStream>
  ) throws(FFmpegError) {
    var size = 0
    guard let bytes = bsc_stream_side_data(source.pointer, type, &size), size > 0 else { return }
    guard let copy = bsc_stream_new_side_data(stream, type, size) else {
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_packet_side_data_new", subject: name)
    }
    UnsafeMutableRawPointer(copy).copyMemory(from: bytes, byteCount: size)
  }
}
