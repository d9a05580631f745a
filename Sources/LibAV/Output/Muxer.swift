import CFFmpeg
public import ClipModel
import Foundation

/// The tag `hvc1` in libav's byte order: HEVC with its parameter sets in the sample entry.
let hevcSampleEntry: UInt32 = 0x3163_7668

/// A media file that is being written: libav's `AVFormatContext` as a muxer.
///
/// Add tracks, then write the header, then packets, then call `finish`. Calls in a different order throw an error. The
/// file isn't complete until `finish` has returned.
public class Muxer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  let name: String
  private let interruption: Interruption
  private let output: Output
  private var isOpen = false
  private var stage = Stage.tracks
  /// The finished file, for `Output.memory`.
  private(set) var bytes: [UInt8] = []

  enum Output {
    case file
    /// Whether the muxer opens its own files.
    case files
    case memory
  }

  /// The call that the muxer accepts next. libav doesn't check the order of calls, and would crash.
  enum Stage {
    case tracks
    case packets
    /// The trailer has been written, or writing the header has failed.
    case finished
  }

  init(_ format: String, to output: Output, path: String, interruption: Interruption) throws(FFmpegError) {
    FFmpegLog.install()
    name = (path as NSString).lastPathComponent
    self.interruption = interruption
    self.output = output
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&context, nil, format, path), "avformat_alloc_output_context2", on: name)
    pointer = try allocated(context, "avformat_alloc_output_context2")
    pointer.pointee.interrupt_callback = interruption.callback
    // Omit versions, dates and random numbers.
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
    // If no trailer is written, the HLS muxer leaves its current file open, and the GIF muxer leaks its last frame. An
    // MP4 without a trailer remains incomplete.
    if stage == .packets, output == .memory || !isOpen { av_write_trailer(pointer) }
    try? close()
    avformat_free_context(pointer)
  }

  /// - Throws: an error if the call belongs to a different stage.
  func require(_ needed: Stage, _ call: String) throws(FFmpegError) {
    guard stage == needed else { throw FFmpegError(bsc_AVERROR_EINVAL, call: call, subject: name) }
  }

  /// Adds a track whose packets come from an encoder. Returns its index.
  public func addTrack(from encoder: Encoder, orientation: Orientation = .upright) throws(FFmpegError) -> Int {
    let stream = try newStream()
    try check(
      avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), "avcodec_parameters_from_context",
      on: name)
    stream.pointee.time_base = encoder.pointer.pointee.time_base
    stream.pointee.avg_frame_rate = encoder.pointer.pointee.framerate
    try setOrientation(orientation, of: stream)
    return Int(stream.pointee.index)
  }

  private func newStream() throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    try require(.tracks, "avformat_new_stream")
    return try allocated(avformat_new_stream(pointer, nil), "avformat_new_stream")
  }

  /// Creates a track with the source's codec parameters and rates, but without its side data.
  func newStream(copying source: SourceStream) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    let stream = try newStream()
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
    try require(.tracks, "avformat_write_header")
    stage = .finished
    try check(
      withOptions(options) { avformat_write_header(pointer, &$0) }, "avformat_write_header", on: name)
    stage = .packets
  }

  /// The time base of a track's packets. Valid after the header is written.
  public func timeBase(ofTrack index: Int) -> Rational? {
    guard (0..<Int(pointer.pointee.nb_streams)).contains(index) else { return nil }
    return pointer.pointee.streams[index].map { Rational($0.pointee.time_base) }
  }

  /// Assigns a packet to a track, with its timestamps converted from `timeBase`.
  func assign(_ packet: Packet, toTrack index: Int, timeBase source: Rational) throws(FFmpegError) {
    try require(.packets, "av_interleaved_write_frame")
    try checkInterruption("av_interleaved_write_frame")
    guard let target = timeBase(ofTrack: index) else {
      throw FFmpegError(bsc_AVERROR_STREAM_NOT_FOUND, call: "av_interleaved_write_frame", subject: name)
    }
    av_packet_rescale_ts(packet.pointer, source.raw, target.raw)
    packet.streamIndex = index
    packet.pointer.pointee.pos = -1
  }

  /// Writes the index. Afterwards, the file is complete, but it may not have been flushed to the disk.
  public func finish() throws(FFmpegError) {
    try require(.packets, "av_write_trailer")
    try checkInterruption("av_write_trailer")
    stage = .finished
    try check(av_write_trailer(pointer), "av_write_trailer", on: name)
    try close()
  }

  private func close() throws(FFmpegError) {
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

  /// Throws if interrupted, because the HLS muxer ignores interruptions of its files.
  private func checkInterruption(_ call: String) throws(FFmpegError) {
    if interruption.isInterrupted { throw FFmpegError(bsc_AVERROR_EXIT, call: call, subject: name) }
  }
}
