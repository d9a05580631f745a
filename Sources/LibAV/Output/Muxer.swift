import CFFmpeg
public import ClipModel
import Foundation

/// The tag `hvc1` in libav's byte order, which declares that HEVC parameter sets are in the sample entry.
let hevcSampleEntry: UInt32 = 0x3163_7668

/// A muxer that writes a media file. A wrapper for libav's `AVFormatContext`.
///
/// Add tracks, write the header, write packets, and then call `finish()`. Calls in a different order throw an error.
/// The file is complete only after `finish()` has returned.
public class Muxer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  let name: String
  private let interruption: Interruption
  private let output: OutputTarget
  private var isOpen = false
  private var stage = MuxerStage.tracks
  /// The contents of the finished file, if the output is `OutputTarget.memory`.
  private(set) var bytes: [UInt8] = []

  enum OutputTarget {
    case file
    /// Multiple files, which the muxer opens itself.
    case files
    case memory
  }

  /// The next kind of call that the muxer accepts. libav doesn't check the order of calls and would crash.
  enum MuxerStage {
    case tracks
    case packets
    /// The trailer has been written, or the header could not be written.
    case finished
  }

  init(_ format: String, to output: OutputTarget, path: String, interruption: Interruption) throws(FFmpegError) {
    try LoadedLibraries.loadFFmpeg()
    name = (path as NSString).lastPathComponent
    self.interruption = interruption
    self.output = output
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&context, nil, format, path), "avformat_alloc_output_context2", on: name)
    pointer = try requireAllocated(context, "avformat_alloc_output_context2")
    pointer.pointee.interrupt_callback = interruption.callback
    // Omit library versions, dates and random numbers from the file.
    pointer.pointee.flags |= AVFMT_FLAG_BITEXACT
    switch output {
    case .file:
      var callback = interruption.callback
      try check(
        avio_open2(&pointer.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, &callback, nil), "avio_open2", on: name)
    case .memory: try check(avio_open_dyn_buf(&pointer.pointee.pb), "avio_open_dyn_buf", on: name)
    case .files: return
    }
    isOpen = true
  }

  deinit {
    // If no trailer is written, the HLS muxer leaves its current file open, and the GIF muxer leaks its last frame. For
    // MP4, the trailer is omitted, so that the file remains incomplete.
    if stage == .packets, output == .memory || !isOpen { av_write_trailer(pointer) }
    try? closeOutput()
    avformat_free_context(pointer)
  }

  /// Checks that a call is made in the right stage.
  /// - Throws: an error if the call belongs to a different stage.
  func requireStage(_ needed: MuxerStage, _ call: String) throws(FFmpegError) {
    guard stage == needed else { throw FFmpegError(bsc_AVERROR_EINVAL, call: call, subject: name) }
  }

  /// Adds a track for packets from an encoder. Returns the index of the track.
  public func addTrack(from encoder: Encoder, orientation: Orientation = .upright) throws(FFmpegError) -> Int {
    let stream = try makeStream()
    try check(
      avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), "avcodec_parameters_from_context",
      on: name)
    stream.pointee.time_base = encoder.pointer.pointee.time_base
    stream.pointee.avg_frame_rate = encoder.pointer.pointee.framerate
    try setOrientation(orientation, of: stream)
    return Int(stream.pointee.index)
  }

  private func makeStream() throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    try requireStage(.tracks, "avformat_new_stream")
    return try requireAllocated(avformat_new_stream(pointer, nil), "avformat_new_stream")
  }

  /// Creates a track with the source's codec parameters, time base and frame rate, but without the source's side data.
  func makeStream(copying source: SourceStream) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    let stream = try makeStream()
    let original = source.pointer.pointee
    try check(
      avcodec_parameters_copy(stream.pointee.codecpar, original.codecpar), "avcodec_parameters_copy", on: name)
    bsc_parameters_drop_side_data(stream.pointee.codecpar)
    stream.pointee.time_base = original.time_base
    stream.pointee.avg_frame_rate = original.avg_frame_rate
    stream.pointee.sample_aspect_ratio = original.sample_aspect_ratio
    return stream
  }

  func setOrientation(_ orientation: Orientation, of stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    guard orientation != .upright else { return }
    let bytes = orientation.displayMatrix.flatMap { withUnsafeBytes(of: $0, Array.init) }
    try setSideData(AV_PKT_DATA_DISPLAYMATRIX, to: bytes, of: stream)
  }

  func setSideData(
    _ type: AVPacketSideDataType, to bytes: [UInt8], of stream: UnsafeMutablePointer<AVStream>
  ) throws(FFmpegError) {
    guard let copy = bsc_stream_new_side_data(stream, type, bytes.count) else {
      throw FFmpegError(bsc_AVERROR_ENOMEM, call: "av_packet_side_data_new", subject: name)
    }
    copy.update(from: bytes, count: bytes.count)
  }

  func writeHeader(_ options: [(String, String)]) throws(FFmpegError) {
    try requireStage(.tracks, "avformat_write_header")
    stage = .finished
    try check(
      withOptions(options) { avformat_write_header(pointer, &$0) }, "avformat_write_header", on: name)
    stage = .packets
  }

  /// Ends a file in memory that has no packets, and returns its contents.
  func closeAfterHeader() throws(FFmpegError) -> [UInt8] {
    try requireStage(.packets, "avio_close_dyn_buf")
    stage = .finished
    try closeOutput()
    return bytes
  }

  /// Returns the duration of a packet at the track's frame rate, in ticks of the track's time base; 0 for audio.
  public func nominalDuration(ofTrack index: Int) -> Int64 {
    guard (0..<Int(pointer.pointee.nb_streams)).contains(index), let stream = pointer.pointee.streams[index],
      stream.pointee.avg_frame_rate.num > 0, stream.pointee.avg_frame_rate.den > 0
    else { return 0 }
    return av_rescale_q(1, av_inv_q(stream.pointee.avg_frame_rate), stream.pointee.time_base)
  }

  /// Returns the time base of a track's packets, which is valid after the header has been written.
  public func timeBase(ofTrack index: Int) -> Rational? {
    guard (0..<Int(pointer.pointee.nb_streams)).contains(index) else { return nil }
    return pointer.pointee.streams[index].map { Rational($0.pointee.time_base) }
  }

  /// Assigns a packet to a track, and converts the packet's timestamps from `timeBase` to the track's time base.
  func assign(_ packet: Packet, toTrack index: Int, timeBase source: Rational) throws(FFmpegError) {
    try requireStage(.packets, "av_interleaved_write_frame")
    try checkInterruption("av_interleaved_write_frame")
    guard let target = timeBase(ofTrack: index) else {
      throw FFmpegError(bsc_AVERROR_STREAM_NOT_FOUND, call: "av_interleaved_write_frame", subject: name)
    }
    av_packet_rescale_ts(packet.pointer, source.raw, target.raw)
    packet.streamIndex = index
    packet.pointer.pointee.pos = -1
  }

  /// Writes the index. When this method returns, the file is complete, but may not have been flushed to the disk.
  public func finish() throws(FFmpegError) {
    try requireStage(.packets, "av_write_trailer")
    try checkInterruption("av_write_trailer")
    stage = .finished
    try check(av_write_trailer(pointer), "av_write_trailer", on: name)
    try closeOutput()
  }

  private func closeOutput() throws(FFmpegError) {
    guard isOpen else { return }
    isOpen = false
    guard output == .memory else {
      try check(avio_closep(&pointer.pointee.pb), "avio_closep", on: name)
      return
    }
    var data: UnsafeMutablePointer<UInt8>?
    let count = avio_close_dyn_buf(pointer.pointee.pb, &data)
    pointer.pointee.pb = nil
    defer { av_free(data) }
    bytes = Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }

  /// Throws an error if interrupted, because the HLS muxer ignores interruptions.
  private func checkInterruption(_ call: String) throws(FFmpegError) {
    if interruption.isInterrupted { throw FFmpegError(bsc_AVERROR_EXIT, call: call, subject: name) }
  }
}
