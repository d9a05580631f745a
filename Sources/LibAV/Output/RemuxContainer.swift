import CFFmpeg
public import ClipModel
import Foundation

/// A file of the same kind as its source, into which tracks are copied as they are: libav's `AVFormatContext` as a
/// muxer that invents nothing. Confined to one thread.
///
/// Tracks, attachments and chapters are added, then the header is written, then packets, then the trailer; other orders
/// are errors.
public final class RemuxContainer {
  /// What can be written without a loss.
  public enum Format: Equatable, Sendable {
    case matroska
    case webM
    /// - Parameter withArrivalTimes: packets of 192 bytes, as on AVCHD cards and Blu-ray discs.
    case transportStream(withArrivalTimes: Bool)
    case avi

    /// libav's name, of its reader as well as of its writer.
    public var name: String {
      switch self {
      case .matroska: "matroska"
      case .webM: "webm"
      case .transportStream: "mpegts"
      case .avi: "avi"
      }
    }
  }

  let pointer: UnsafeMutablePointer<AVFormatContext>
  let format: Format
  let name: String
  private let interruption: Interruption
  private var isOpen = false
  var stage = MuxerStage.tracks
  /// Tracks of which the source has no decoding times: libav guesses them when it reads.
  var guessedTracks: Set<Int> = []
  private var lastTicks: [Int: Int64] = [:]

  /// Begins a file at `path`, which is created or overwritten.
  public init(
    _ format: Format, at path: String, interruption: Interruption = Interruption()
  ) throws(FFmpegError) {
    FFmpegLog.install()
    self.format = format
    self.interruption = interruption
    name = (path as NSString).lastPathComponent
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&context, nil, format.name, path), "avformat_alloc_output_context2", on: name)
    pointer = try allocated(context, "avformat_alloc_output_context2")
    pointer.pointee.interrupt_callback = interruption.callback
    // No names, versions, dates and random numbers of the writer; packets go in as they come.
    pointer.pointee.flags |= AVFMT_FLAG_BITEXACT
    pointer.pointee.flags &= ~AVFMT_FLAG_AUTO_BSF
    // Zero: time stamps stay where they are, also below zero.
    pointer.pointee.avoid_negative_ts = 0
    var callback = interruption.callback
    try check(
      avio_open2(&pointer.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, &callback, nil), "avio_open2", on: name)
    isOpen = true
  }

  deinit {
    if isOpen { avio_closep(&pointer.pointee.pb) }
    avformat_free_context(pointer)
  }

  public func setMetadata(_ metadata: [String: String]) {
    for (key, value) in metadata { av_dict_set(&pointer.pointee.metadata, key, value, 0) }
  }

  public func add(_ chapter: SourceChapter) throws(FFmpegError) {
    try stage.check(.tracks, "bsc_add_chapter", on: name)
    try check(
      bsc_add_chapter(pointer, chapter.id, chapter.timeBase.raw, chapter.start, chapter.end, chapter.title),
      "bsc_add_chapter", on: name)
  }

  /// The number of the program of a transport stream, and where its map is.
  /// - Returns: `false` when the source has several, which become one.
  public func setProgram(of source: InputContainer) throws(FFmpegError) -> Bool {
    guard source.pointer.pointee.nb_programs == 1, let original = source.pointer.pointee.programs[0] else {
      return source.pointer.pointee.nb_programs == 0
    }
    let program = try allocated(av_new_program(pointer, original.pointee.id), "av_new_program")
    program.pointee.pmt_pid = original.pointee.pmt_pid
    for index in 0..<pointer.pointee.nb_streams { av_program_add_stream_index(pointer, original.pointee.id, index) }
    return true
  }

  /// - Parameter startSeconds: the first time stamp; the clock of a transport stream runs ahead of it, and not
  ///   below zero.
  public func writeHeader(startSeconds: Double) throws(FFmpegError) {
    try stage.check(.tracks, "avformat_write_header", on: name)
    stage = .finished
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if case .transportStream(let withArrivalTimes) = format {
      av_dict_set(&options, "mpegts_copyts", "1", 0)
      av_dict_set(&options, "mpegts_m2ts_mode", withArrivalTimes ? "1" : "0", 0)
      // Each packet keeps a time stamp of its own.
      av_dict_set(&options, "pes_payload_size", "0", 0)
      // libav doubles it; 0.7 s is what its own program takes.
      pointer.pointee.max_delay = Int32(min(0.7, max(0, startSeconds / 2)) * Double(AV_TIME_BASE))
    }
    try check(avformat_write_header(pointer, &options), "avformat_write_header", on: name)
    stage = .packets
  }

  /// Writes a packet whose timestamps are in `timeBase`.
  public func write(
    _ packet: Packet, track index: Int, timeBase source: Rational
  ) throws(FFmpegError) {
    try stage.check(.packets, "av_interleaved_write_frame", on: name)
    guard (0..<Int(pointer.pointee.nb_streams)).contains(index), let stream = pointer.pointee.streams[index] else {
      throw FFmpegError(bsc_AVERROR_STREAM_NOT_FOUND, call: "av_interleaved_write_frame", subject: name)
    }
    packet.rescale(from: source.raw, to: stream.pointee.time_base)
    packet.streamIndex = index
    packet.pointer.pointee.pos = -1
    if case .transportStream = format {
      // The clock goes by the packets' order.
      try check(av_interleaved_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
    } else {
      if guessedTracks.contains(index) { packet.decodingTicks = Self.unwrittenTicks }
      if format == .avi { separateTimes(of: packet, track: index) }
      // In the order of the source.
      try check(av_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
    }
  }

  /// AVI counts packets and has no times; libav's reader gives small blocks of sound the same one, which its writer
  /// does not take.
  private func separateTimes(of packet: Packet, track index: Int) {
    guard let last = lastTicks[index], let ticks = packet.decodingTicks else {
      lastTicks[index] = packet.decodingTicks
      return
    }
    let next = max(ticks, last &+ 1)
    packet.decodingTicks = next
    packet.presentationTicks = packet.presentationTicks.map { max($0, next) }
    lastTicks[index] = next
  }

  /// A decoding time for packets that have none: never written, but libav wants it below each presentation time, and
  /// refuses its own guesses.
  private static let unwrittenTicks: Int64 = -(1 << 40)

  /// Writes the index. Afterwards the file is complete, though not yet on disk for sure.
  public func finish() throws(FFmpegError) {
    try stage.check(.packets, "av_write_trailer", on: name)
    stage = .finished
    try check(av_write_trailer(pointer), "av_write_trailer", on: name)
    isOpen = false
    try check(avio_closep(&pointer.pointee.pb), "avio_closep", on: name)
  }
}
