import CFFmpeg
import ClipModel
import Foundation

/// A demuxer that reads packets from an open media file. A wrapper for libav's `AVFormatContext`.
///
/// Must be used on only one thread at a time, because format contexts aren't thread-safe (avformat.h).
public final class InputContainer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  public let path: String
  public let analysis: Analysis
  /// The interruption flag, which must be kept alive because libav has its address.
  private let interruption: Interruption
  private let file: FileInput
  private let name: String

  /// Opens the same file again with the same descriptor. The new container is positioned at its start.
  public func reopen() throws(FFmpegError) -> InputContainer {
    try InputContainer(path: path, descriptor: file.descriptor, interruption: interruption, analysis: analysis)
  }

  /// The container formats that cameras and video editors use. Playlist formats such as HLS, concat and DASH are
  /// excluded, because a playlist with the extension `.mp4` must not open other files.
  static let demuxers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,mxf,ogg,h264,hevc,ivf,obu"

  /// Limits the size of memory allocations, because damaged files may request too much memory. A 16-bit 4:4:4 frame in
  /// 8K takes 200 MB.
  private static let limitedAllocations: Void = av_max_alloc(256 << 20)

  /// The maximum number of tracks in a file. The limit prevents a malicious file from making libav allocate thousands
  /// of tracks.
  public static let trackLimit = 64

  /// When to read the first packets and decode frames to determine properties that are missing from the headers
  /// (`avformat_find_stream_info`). For 4K video, this analysis takes as long as transcoding two frames.
  public enum Analysis: Sendable {
    case always
    case never
    /// Analyze only containers whose headers lack frame sizes or frame rates. Pixel formats, and color properties that
    /// only the bitstream contains, remain unknown until frames are decoded.
    case whenNeeded
    /// Read all packets once to find tracks that start in the middle of the file, and then analyze the first packets of
    /// each track.
    case whole
  }

  /// Opens a local file.
  /// - Parameters:
  ///   - path: the path of the file, which libav doesn't open itself.
  ///   - descriptor: the file's descriptor if the file is already open. The descriptor is duplicated.
  ///   - interruption: the flag that ends reading with `AVERROR_EXIT`.
  ///   - analysis: when to analyze packets in addition to the headers.
  public init(
    path: String, descriptor: Int32? = nil, interruption: Interruption = Interruption(), analysis: Analysis = .always
  ) throws(FFmpegError) {
    try LoadedLibraries.loadFFmpeg()
    FFmpegLog.takeLastLine()
    Self.limitedAllocations
    let name = (path as NSString).lastPathComponent
    let file = try FileInput(path: path, descriptor: descriptor, interruption: interruption, subject: name)
    var context: UnsafeMutablePointer<AVFormatContext>? = try requireAllocated(
      avformat_alloc_context(), "avformat_alloc_context")
    context?.pointee.interrupt_callback = interruption.callback
    context?.pointee.max_streams = Int32(InputContainer.trackLimit)
    context?.pointee.pb = file.context
    // The empty protocol list prevents demuxers from opening other files.
    let options = [("protocol_whitelist", ""), ("format_whitelist", InputContainer.demuxers)]
    let status = withOptions(options) { avformat_open_input(&context, "file:" + path, nil, &$0) }
    guard status >= 0, let opened = context else {
      throw FFmpegError(Self.diskErrorOrStatus(status, of: file.context), call: "avformat_open_input", subject: name)
    }
    self.file = file
    self.name = name
    pointer = opened
    self.path = path
    self.analysis = analysis
    self.interruption = interruption
    let isNeeded =
      switch analysis {
      case .always, .whole: true
      case .never: false
      case .whenNeeded: !hasVideoFacts
      }
    if analysis == .whole { try readToEnd() }
    if isNeeded {
      let status = avformat_find_stream_info(pointer, nil)
      try check(Self.diskErrorOrStatus(status, of: pointer.pointee.pb), "avformat_find_stream_info", on: name)
    }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFormatContext>? = pointer
    avformat_close_input(&owned)
  }

  /// The number of bytes that libav may buffer to analyze a track that starts late.
  private static let wholeAnalysisByteCount: Int64 = 256 << 20

  /// Reads to the end of the file, to find all tracks of a stream whose program tables change, and seeks back to the
  /// start.
  private func readToEnd() throws(FFmpegError) {
    let packet = try Packet()
    while try read(into: packet) {}
    try check(av_seek_frame(pointer, -1, 0, AVSEEK_FLAG_BYTE), "av_seek_frame", on: name)
    pointer.pointee.probesize = Self.wholeAnalysisByteCount
    pointer.pointee.max_analyze_duration = .max
  }

  /// Returns the status of a call, or the disk error that caused the failure, because demuxers report failed reads as
  /// the end of the file or as truncated packets. Conversely, the Matroska demuxer reports an I/O error for truncated
  /// files.
  private static func diskErrorOrStatus(_ status: Int32, of file: UnsafeMutablePointer<AVIOContext>?) -> Int32 {
    if let code = file?.pointee.error, code < 0, code != bsc_AVERROR_EOF { return code }
    return bsc_averror_errno(status) == EIO ? bsc_AVERROR_INVALIDDATA : status
  }

  /// Whether the headers contain all properties that a transcode needs before it decodes the first frame.
  private var hasVideoFacts: Bool {
    formatName.contains("mp4")
      && streams.allSatisfy { $0.kind != .video || ($0.width > 0 && $0.averageFrameRate != nil && !$0.setup.isEmpty) }
  }

  /// libav's short name for the container format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  public var formatName: String { String(cString: pointer.pointee.iformat.pointee.name) }

  /// The bit rate of the entire file as computed by libav, or `nil` if unknown.
  public var bitsPerSecond: Int64? { pointer.pointee.bit_rate > 0 ? pointer.pointee.bit_rate : nil }

  /// The duration of the longest track in seconds, or `nil` if unknown.
  public var durationSeconds: Double? {
    let ticks = pointer.pointee.duration
    return ticks == bsc_AV_NOPTS_VALUE || ticks < 0 ? nil : Double(ticks) / Double(AV_TIME_BASE)
  }

  /// Whether the duration comes from the headers, instead of from packets or the bit rate.
  public var isDurationOfHeaders: Bool { pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM }

  /// The container's metadata.
  public var metadata: [String: String] { makeDictionary(pointer.pointee.metadata) }

  public var streams: [SourceStream] {
    (0..<Int(pointer.pointee.nb_streams)).compactMap { index in
      pointer.pointee.streams[index].map { SourceStream(container: self, pointer: $0) }
    }
  }

  /// Limits reading to the packets of the given streams.
  public func select(_ indexes: Set<Int>) {
    for index in 0..<Int(pointer.pointee.nb_streams) {
      pointer.pointee.streams[index]?.pointee.discard = indexes.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet in file order. Returns `false` at the end of the file.
  public func read(into packet: Packet) throws(FFmpegError) -> Bool {
    while true {
      packet.reset()
      let status = Self.diskErrorOrStatus(av_read_frame(pointer, packet.pointer), of: pointer.pointee.pb)
      if status == bsc_AVERROR_EOF { return false }
      try check(status, "av_read_frame", on: name)
      // libav returns packets that were buffered during the analysis even if their stream isn't selected.
      if pointer.pointee.streams[packet.streamIndex]?.pointee.discard != AVDISCARD_ALL { return true }
    }
  }

  /// Seeks to the last key frame at or before `ticks`, a time in the stream's time base after the edit list has been
  /// applied.
  /// - Returns: `false` if the container doesn't support seeking by time, such as a raw stream.
  /// - Throws: an error, for example if the stream belongs to a different container.
  @discardableResult
  public func seek(stream: SourceStream, ticks: Int64) throws(FFmpegError) -> Bool {
    let status =
      stream.container === self
      ? av_seek_frame(pointer, stream.pointer.pointee.index, ticks, AVSEEK_FLAG_BACKWARD) : bsc_AVERROR_STREAM_NOT_FOUND
    // libav returns -1 if there is no such position in the file.
    if status == -1 { return false }
    try check(status, "av_seek_frame", on: name)
    return true
  }
}

/// Converts a libav dictionary to a Swift dictionary. If a key is duplicated, the last value is used.
func makeDictionary(_ pointer: OpaquePointer?) -> [String: String] {
  var result: [String: String] = [:]
  var entry: UnsafeMutablePointer<AVDictionaryEntry>?
  while let next = av_dict_get(pointer, "", entry, AV_DICT_IGNORE_SUFFIX) {
    result[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
    entry = next
  }
  return result
}
