import CFFmpeg
public import ClipModel
import Foundation

/// `hvc1` as libav writes it: HEVC with its parameter sets in the sample entry.
let hevcSampleEntry: UInt32 = 0x3163_7668

/// What a muxer takes next. libav does not check the order of its calls, and crashes.
enum MuxerStage {
  case tracks
  case packets
  /// The trailer was written, or a header could not be.
  case finished

  /// - Throws: when the call belongs to another stage.
  func check(_ needed: MuxerStage, _ call: String, on name: String) throws(FFmpegError) {
    guard self == needed else { throw FFmpegError(bsc_AVERROR_EINVAL, call: call, subject: name) }
  }
}

/// A media file being written: libav's `AVFormatContext` as a muxer. Confined to one thread, but for packets: those may
/// come from several, and go into the file one after the other.
///
/// Tracks are added, then the header is written, then packets, then the trailer; other orders are errors. Until `finish`
/// has returned the file is not a media file.
public final class OutputContainer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  private let name: String
  private let interruption: Interruption
  private var isOpen = false
  private var stage = MuxerStage.tracks
  private let kind: Kind
  /// A format context must not be used by two threads at once (avformat.h).
  private let writing = NSLock()

  private enum Kind {
    case mp4
    /// HTTP Live Streaming: the muxer opens its files by itself.
    case pieces(folder: String, seconds: Int)
  }

  /// Begins a stream in pieces of fragmented MP4, as HTTP Live Streaming has it, in a folder that exists:
  /// `master.m3u8`, `index.m3u8`, `init.mp4` and `segment0.m4s`…, which name each other by their names alone.
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - pieceSeconds: each piece ends with the first key frame behind so many.
  public init(
    hlsIn folder: String, pieceSeconds: Int, interruption: Interruption = Interruption()
  ) throws(FFmpegError) {
    FFmpegLog.install()
    name = "index.m3u8"
    kind = .pieces(folder: folder, seconds: pieceSeconds)
    self.interruption = interruption
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&context, nil, "hls", folder + "/index.m3u8"), "avformat_alloc_output_context2",
      on: name)
    pointer = try allocated(context, "avformat_alloc_output_context2")
    pointer.pointee.interrupt_callback = interruption.callback
  }

  /// Begins an MP4 with its `moov` in front (faststart) at `path`, which is created or overwritten.
  public init(mp4At path: String, interruption: Interruption = Interruption()) throws(FFmpegError) {
    FFmpegLog.install()
    name = (path as NSString).lastPathComponent
    kind = .mp4
    self.interruption = interruption
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&context, nil, "mp4", path), "avformat_alloc_output_context2", on: name)
    pointer = try allocated(context, "avformat_alloc_output_context2")
    pointer.pointee.interrupt_callback = interruption.callback
    var callback = interruption.callback
    try check(
      avio_open2(&pointer.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, &callback, nil), "avio_open2", on: name)
    isOpen = true
  }

  deinit {
    // Without its trailer the muxer of pieces leaves the file open that it is writing.
    if case .pieces = kind, stage == .packets { av_write_trailer(pointer) }
    if isOpen { avio_closep(&pointer.pointee.pb) }
    avformat_free_context(pointer)
  }

  /// A track whose packets come from an encoder. Returns its index.
  public func addTrack(from encoder: Encoder, orientation: Orientation = .upright) throws(FFmpegError) -> Int {
    try stage.check(.tracks, "avformat_new_stream", on: name)
    let stream = try allocated(avformat_new_stream(pointer, nil), "avformat_new_stream")
    try check(
      avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), "avcodec_parameters_from_context",
      on: name)
    stream.pointee.time_base = encoder.pointer.pointee.time_base
    stream.pointee.avg_frame_rate = encoder.pointer.pointee.framerate
    try setOrientation(orientation, of: stream)
    return Int(stream.pointee.index)
  }

  /// A track whose packets are copied from a source. Side data that could tell more than the picture needs stays
  /// behind; orientation goes on.
  /// - Parameter orientation: another one than the source's.
  public func addTrack(
    copying source: SourceStream, orientation: Orientation? = nil
  ) throws(FFmpegError) -> Int {
    try stage.check(.tracks, "avformat_new_stream", on: name)
    let stream = try allocated(avformat_new_stream(pointer, nil), "avformat_new_stream")
    try check(
      avcodec_parameters_copy(stream.pointee.codecpar, source.pointer.pointee.codecpar), "avcodec_parameters_copy",
      on: name)
    bsc_parameters_drop_side_data(stream.pointee.codecpar)
    // The source container's tag need not exist in MP4; the muxer picks its own.
    // Left to itself it would call HEVC `hev1`, which Apple's players do not take.
    let isHEVC = source.pointer.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_HEVC
    stream.pointee.codecpar.pointee.codec_tag = isHEVC ? hevcSampleEntry : 0
    stream.pointee.time_base = source.pointer.pointee.time_base
    stream.pointee.avg_frame_rate = source.pointer.pointee.avg_frame_rate
    stream.pointee.sample_aspect_ratio = source.pointer.pointee.sample_aspect_ratio
    try setOrientation(orientation ?? source.orientation, of: stream)
    return Int(stream.pointee.index)
  }

  /// Recording date, ISO 8601; the only metadata that goes on.
  public func setCaptureDate(_ date: String) {
    av_dict_set(&pointer.pointee.metadata, "creation_time", date, 0)
  }

  public func writeHeader() throws(FFmpegError) {
    try stage.check(.tracks, "avformat_write_header", on: name)
    stage = .finished
    var options: OpaquePointer?
    for (key, value) in muxerOptions { av_dict_set(&options, key, value, 0) }
    // Names no version and no machine.
    pointer.pointee.flags |= AVFMT_FLAG_BITEXACT
    defer { av_dict_free(&options) }
    try check(avformat_write_header(pointer, &options), "avformat_write_header", on: name)
    stage = .packets
  }

  private var muxerOptions: [(String, String)] {
    switch kind {
    case .mp4: [("movflags", "+faststart")]
    case .pieces(let folder, let seconds):
      [
        ("hls_time", "\(seconds)"), ("hls_playlist_type", "vod"), ("hls_list_size", "0"),
        ("hls_segment_type", "fmp4"), ("hls_fmp4_init_filename", "init.mp4"), ("master_pl_name", "master.m3u8"),
        ("hls_flags", "independent_segments"),
        // A pattern: a folder's own percent signs have to be told apart.
        ("hls_segment_filename", folder.replacingOccurrences(of: "%", with: "%%") + "/segment%d.m4s"),
      ]
    }
  }

  /// Ticks of a track's packets, known once the header is written.
  public func timeBase(ofTrack index: Int) -> Rational? {
    guard (0..<Int(pointer.pointee.nb_streams)).contains(index), let stream = pointer.pointee.streams[index] else {
      return nil
    }
    return Rational(stream.pointee.time_base)
  }

  /// Writes a packet whose timestamps are in `timeBase`; takes its bytes over.
  public func write(_ packet: Packet, track index: Int, timeBase source: Rational) throws(FFmpegError) {
    try stage.check(.packets, "av_interleaved_write_frame", on: name)
    try checkInterruption("av_interleaved_write_frame")
    guard let target = timeBase(ofTrack: index) else {
      throw FFmpegError(bsc_AVERROR_STREAM_NOT_FOUND, call: "av_interleaved_write_frame", subject: name)
    }
    packet.rescale(from: source.raw, to: target.raw)
    packet.streamIndex = index
    packet.pointer.pointee.pos = -1
    writing.lock()
    defer { writing.unlock() }
    try check(av_interleaved_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
  }

  /// Writes the tables and moves them to the front. Afterwards the file is complete, though not yet on disk for sure.
  public func finish() throws(FFmpegError) {
    try stage.check(.packets, "av_write_trailer", on: name)
    try checkInterruption("av_write_trailer")
    stage = .finished
    try check(av_write_trailer(pointer), "av_write_trailer", on: name)
    guard isOpen else { return }
    isOpen = false
    try check(avio_closep(&pointer.pointee.pb), "avio_closep", on: name)
  }

  /// The muxer of pieces ignores that its files were interrupted.
  private func checkInterruption(_ call: String) throws(FFmpegError) {
    if interruption.isInterrupted { throw FFmpegError(bsc_AVERROR_EXIT, call: call, subject: name) }
  }

  private func setOrientation(
    _ orientation: Orientation, of stream: UnsafeMutablePointer<AVStream>
  ) throws(FFmpegError) {
    guard orientation != .upright else { return }
    guard let bytes = bsc_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36) else {
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_packet_side_data_new", subject: name)
    }
    for (index, value) in orientation.displayMatrix.enumerated() {
      UnsafeMutableRawPointer(bytes).storeBytes(of: value, toByteOffset: index * 4, as: Int32.self)
    }
  }
}
