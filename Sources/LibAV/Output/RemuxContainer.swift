import CFFmpeg
public import ClipModel

/// A muxer that writes a lossless copy of a file in the same format and adds no metadata. Must be used on only one
/// thread.
///
/// Add all tracks, attachments and chapters before writing the header.
public final class RemuxContainer: Muxer {
  /// The container formats that can be remuxed without loss.
  public enum Format: Equatable, Sendable {
    case matroska
    case webM
    /// - Parameter withArrivalTimes: whether packets include a 4-byte arrival time, as on AVCHD cards and Blu-ray
    ///   discs.
    case transportStream(withArrivalTimes: Bool)
    case avi

    /// libav's name for the demuxer and muxer.
    public var name: String {
      switch self {
      case .matroska: "matroska"
      case .webM: "webm"
      case .transportStream: "mpegts"
      case .avi: "avi"
      }
    }
  }

  let format: Format
  /// The indexes of tracks without decoding times in the source. libav guesses these times when it reads the source.
  var tracksWithGuessedTimes: Set<Int> = []
  private var lastTicks: [Int: Int64] = [:]

  /// Starts writing a file at `path`. An existing file is overwritten.
  public init(
    _ format: Format, at path: String, interruption: Interruption = Interruption()
  ) throws(FFmpegError) {
    self.format = format
    try super.init(format.name, to: .file, path: path, interruption: interruption)
    // Write packets without bitstream filters.
    pointer.pointee.flags &= ~AVFMT_FLAG_AUTO_BSF
    // 0 preserves timestamps, even if they are negative.
    pointer.pointee.avoid_negative_ts = 0
  }

  public func setMetadata(_ metadata: [String: String]) {
    for (key, value) in metadata { av_dict_set(&pointer.pointee.metadata, key, value, 0) }
  }

  public func add(_ chapter: SourceChapter) throws(FFmpegError) {
    try requireStage(.tracks, "bsc_add_chapter")
    try check(
      bsc_add_chapter(pointer, chapter.id, chapter.timeBase.raw, chapter.start, chapter.end, chapter.title),
      "bsc_add_chapter", on: name)
  }

  /// Copies the program number and the program map PID of a transport stream.
  /// - Returns: `false` if the source has multiple programs, which are merged into one.
  public func setProgram(of source: InputContainer) throws(FFmpegError) -> Bool {
    guard source.pointer.pointee.nb_programs == 1, let original = source.pointer.pointee.programs[0] else {
      return source.pointer.pointee.nb_programs == 0
    }
    let program = try requireAllocated(av_new_program(pointer, original.pointee.id), "av_new_program")
    program.pointee.pmt_pid = original.pointee.pmt_pid
    for index in 0..<pointer.pointee.nb_streams { av_program_add_stream_index(pointer, original.pointee.id, index) }
    return true
  }

  /// - Parameter startSeconds: the first timestamp in seconds. The clock of a transport stream starts earlier than this
  ///   time, but not below 0.
  public func writeHeader(startSeconds: Double) throws(FFmpegError) {
    guard case .transportStream(let withArrivalTimes) = format else { return try writeHeader([]) }
    // libav doubles the delay. The default delay of the ffmpeg command is 0.7 s.
    pointer.pointee.max_delay = Int32(min(0.7, max(0, startSeconds / 2)) * Double(AV_TIME_BASE))
    try writeHeader([
      ("mpegts_copyts", "1"), ("mpegts_m2ts_mode", withArrivalTimes ? "1" : "0"),
      // Write a separate timestamp for each packet.
      ("pes_payload_size", "0"),
    ])
  }

  /// Writes a packet whose timestamps are in `timeBase`.
  public func write(_ packet: Packet, track index: Int, timeBase: Rational) throws(FFmpegError) {
    try assign(packet, toTrack: index, timeBase: timeBase)
    if case .transportStream = format {
      // The clock advances in the order of the packets.
      try check(av_interleaved_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
    } else {
      if tracksWithGuessedTimes.contains(index) { packet.decodingTicks = Self.unwrittenTicks }
      if format == .avi { makeTimesUnique(of: packet, track: index) }
      // Preserve the packet order of the source.
      try check(av_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
    }
  }

  /// Makes decoding times unique. AVI counts packets instead of storing timestamps. libav's demuxer assigns equal times
  /// to small audio blocks, which libav's muxer rejects.
  private func makeTimesUnique(of packet: Packet, track index: Int) {
    guard let last = lastTicks[index], let ticks = packet.decodingTicks else {
      lastTicks[index] = packet.decodingTicks
      return
    }
    let next = max(ticks, last &+ 1)
    packet.decodingTicks = next
    packet.presentationTicks = packet.presentationTicks.map { max($0, next) }
    lastTicks[index] = next
  }

  /// A placeholder for missing decoding times, which is never written. libav requires decoding times that aren't later
  /// than presentation times, and rejects its own guesses.
  private static let unwrittenTicks: Int64 = -(1 << 40)
}
