import CFFmpeg
public import ClipModel

/// A lossless copy of a file in the same format, with nothing added. Confined to one thread.
///
/// Add tracks, attachments and chapters before the header.
public final class RemuxContainer: Muxer {
  /// The formats that can be written without loss.
  public enum Format: Equatable, Sendable {
    case matroska
    case webM
    /// - Parameter withArrivalTimes: whether packets have 192 bytes, as on AVCHD cards and Blu-ray discs.
    case transportStream(withArrivalTimes: Bool)
    case avi

    /// libav's name of the demuxer and the muxer.
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
  /// Tracks that have no decoding times in the source. libav guesses them when it reads the source.
  var tracksWithGuessedTimes: Set<Int> = []
  private var lastTicks: [Int: Int64] = [:]

  /// Starts a file at `path`. An existing file is overwritten.
  public init(
    _ format: Format, at path: String, interruption: Interruption = Interruption()
  ) throws(FFmpegError) {
    self.format = format
    try super.init(format.name, to: .file, path: path, interruption: interruption)
    // Write packets without bitstream filters.
    pointer.pointee.flags &= ~AVFMT_FLAG_AUTO_BSF
    // 0 keeps timestamps unchanged, even if they are negative.
    pointer.pointee.avoid_negative_ts = 0
  }

  public func setMetadata(_ metadata: [String: String]) {
    for (key, value) in metadata { av_dict_set(&pointer.pointee.metadata, key, value, 0) }
  }

  public func add(_ chapter: SourceChapter) throws(FFmpegError) {
    try require(.tracks, "bsc_add_chapter")
    try check(
      bsc_add_chapter(pointer, chapter.id, chapter.timeBase.raw, chapter.start, chapter.end, chapter.title),
      "bsc_add_chapter", on: name)
  }

  /// Copies the program number of a transport stream and the PID of its program map.
  /// - Returns: `false` if the source has several programs, which are merged into one.
  public func setProgram(of source: InputContainer) throws(FFmpegError) -> Bool {
    guard source.pointer.pointee.nb_programs == 1, let original = source.pointer.pointee.programs[0] else {
      return source.pointer.pointee.nb_programs == 0
    }
    let program = try allocated(av_new_program(pointer, original.pointee.id), "av_new_program")
    program.pointee.pmt_pid = original.pointee.pmt_pid
    for index in 0..<pointer.pointee.nb_streams { av_program_add_stream_index(pointer, original.pointee.id, index) }
    return true
  }

  /// - Parameter startSeconds: the first timestamp. The clock of a transport stream runs ahead of it, but not below
  ///   zero.
  public func writeHeader(startSeconds: Double) throws(FFmpegError) {
    guard case .transportStream(let withArrivalTimes) = format else { return try writeHeader([]) }
    // libav doubles the delay. 0.7 s is the default of the ffmpeg program.
    pointer.pointee.max_delay = Int32(min(0.7, max(0, startSeconds / 2)) * Double(AV_TIME_BASE))
    try writeHeader([
      ("mpegts_copyts", "1"), ("mpegts_m2ts_mode", withArrivalTimes ? "1" : "0"),
      // Each packet keeps a separate timestamp.
      ("pes_payload_size", "0"),
    ])
  }

  /// Writes a packet whose timestamps are in `timeBase`.
  public func write(_ packet: Packet, track index: Int, timeBase: Rational) throws(FFmpegError) {
    try assign(packet, toTrack: index, timeBase: timeBase)
    if case .transportStream = format {
      // The clock follows the order of the packets.
      try check(av_interleaved_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
    } else {
      if tracksWithGuessedTimes.contains(index) { packet.decodingTicks = Self.unwrittenTicks }
      if format == .avi { separateTimes(of: packet, track: index) }
      // Keep the order of the source.
      try check(av_write_frame(pointer, packet.pointer), "av_interleaved_write_frame", on: name)
    }
  }

  /// AVI has no times and counts packets. libav's demuxer gives small audio blocks equal times, which its muxer
  /// rejects.
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

  /// A decoding time for packets that have none. It is never written, but libav requires it to be below each
  /// presentation time, and rejects its own guesses.
  private static let unwrittenTicks: Int64 = -(1 << 40)
}
