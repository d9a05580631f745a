import CFFmpeg
import ClipModel
import Foundation

/// An opened media file to read packets from: libav's `AVFormatContext` as a demuxer.
///
/// Confined to one thread at a time: a format context must not be used by two threads at once (avformat.h).
public final class InputContainer {
  let pointer: UnsafeMutablePointer<AVFormatContext>
  public let path: String
  /// As it was opened.
  public let analysis: Analysis
  /// Kept alive: libav has its address.
  private let interruption: Interruption
  private let file: FileInput

  /// The same file at its start, without opening it again.
  public func reopened() throws(FFmpegError) -> InputContainer {
    try InputContainer(path: path, descriptor: file.descriptor, interruption: interruption, analysis: analysis)
  }

  /// Containers that are opened: those cameras and editors write. Playlist formats (HLS, concat, DASH…) are left out
  /// on purpose, because they open other files; a playlist named `.mp4` must not.
  static let demuxers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,mxf,ogg,h264,hevc,ivf,obu"

  /// One block of memory: a picture of 8K with 16 bits and full colour has 200 MB. A file's claims get no more.
  private static let limitedAllocations: Void = av_max_alloc(256 << 20)

  /// No file has more tracks than this; a hostile one could make libav allocate thousands.
  public static let trackLimit = 64

  /// Whether the first packets are read, and pictures decoded, for what the headers leave open
  /// (`avformat_find_stream_info`). Of a 4K picture that costs as much as two frames of a transcode.
  public enum Analysis: Sendable {
    case always
    case never
    /// Only for containers whose headers do not tell sizes and frame rates. Pixel formats stay unknown, and colours that
    /// stand in the bitstream only: the decoded pictures have them.
    case whenNeeded
    /// All packets are read once, so that tracks are known that begin in the middle, and then the first packets of each.
    case whole
  }

  /// Opens a local file.
  /// - Parameters:
  ///   - path: of the file; libav sees only its name.
  ///   - descriptor: of the file, when it's open already. It's duplicated.
  ///   - interruption: ends reading with `AVERROR_EXIT`.
  ///   - analysis: what is read besides the headers.
  public init(
    path: String, descriptor: Int32? = nil, interruption: Interruption = Interruption(), analysis: Analysis = .always
  ) throws(FFmpegError) {
    FFmpegLog.install()
    FFmpegLog.forgetLastLine()
    Self.limitedAllocations
    let name = (path as NSString).lastPathComponent
    let file = try FileInput(path: path, descriptor: descriptor, interruption: interruption, subject: name)
    var context: UnsafeMutablePointer<AVFormatContext>? = try allocated(
      avformat_alloc_context(), "avformat_alloc_context")
    context?.pointee.interrupt_callback = interruption.callback
    context?.pointee.max_streams = Int32(InputContainer.trackLimit)
    context?.pointee.pb = file.context
    var options: OpaquePointer?
    // No demuxer opens another file.
    av_dict_set(&options, "protocol_whitelist", "", 0)
    av_dict_set(&options, "format_whitelist", InputContainer.demuxers, 0)
    defer { av_dict_free(&options) }
    let status = avformat_open_input(&context, "file:" + path, nil, &options)
    guard status >= 0, let opened = context else {
      throw FFmpegError(Self.failure(status, of: file.context), call: "avformat_open_input", subject: name)
    }
    self.file = file
    pointer = opened
    self.path = path
    self.analysis = analysis
    self.interruption = interruption
    let isNeeded =
      switch analysis {
      case .always, .whole: true
      case .never: false
      case .whenNeeded: !tellsPictures
      }
    if analysis == .whole { try readToTheEnd() }
    if isNeeded {
      let status = avformat_find_stream_info(pointer, nil)
      try check(Self.failure(status, of: pointer.pointee.pb), "avformat_find_stream_info", on: name)
    }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFormatContext>? = pointer
    avformat_close_input(&owned)
  }

  /// Packets that are kept for the analysis of a track that begins late.
  private static let wholeAnalysisByteCount: Int64 = 256 << 20

  /// Finds every track of a stream whose tables change, and goes back to the start.
  private func readToTheEnd() throws(FFmpegError) {
    let packet = try Packet()
    while try read(into: packet) {}
    try check(
      av_seek_frame(pointer, -1, 0, AVSEEK_FLAG_BYTE), "av_seek_frame", on: (path as NSString).lastPathComponent)
    pointer.pointee.probesize = Self.wholeAnalysisByteCount
    pointer.pointee.max_analyze_duration = .max
  }

  /// The code of a call, or of the read of the disk that failed in it: demuxers take that for the end of the file, or for
  /// a packet that is cut short. The other way round, Matroska's demuxer answers "input/output error" to a file that is
  /// cut short although every read went well.
  private static func failure(_ status: Int32, of file: UnsafeMutablePointer<AVIOContext>?) -> Int32 {
    if let code = file?.pointee.error, code < 0, code != bsc_AVERROR_EOF { return code }
    return bsc_averror_errno(status) == EIO ? bsc_AVERROR_INVALIDDATA : status
  }

  /// The headers tell what a transcode has to know of its pictures before it decodes the first one.
  private var tellsPictures: Bool {
    formatName.contains("mp4")
      && streams.allSatisfy { $0.kind != .video || ($0.width > 0 && $0.averageFrameRate != nil && !$0.setup.isEmpty) }
  }

  /// libav's short name: `mov,mp4,m4a,3gp,3g2,mj2`.
  public var formatName: String { String(cString: pointer.pointee.iformat.pointee.name) }

  /// The whole file's bits per second as libav works them out; `nil` when unknown.
  public var bitsPerSecond: Int64? { pointer.pointee.bit_rate > 0 ? pointer.pointee.bit_rate : nil }

  /// Longest track in seconds; `nil` when unknown.
  public var durationSeconds: Double? {
    let ticks = pointer.pointee.duration
    return ticks == bsc_AV_NOPTS_VALUE || ticks < 0 ? nil : Double(ticks) / Double(AV_TIME_BASE)
  }

  /// The duration is the headers' claim; otherwise it was worked out from packets or from the bit rate.
  public var isDurationOfHeaders: Bool { pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM }

  /// Keys and values of the container's metadata.
  public var metadata: [String: String] { dictionary(pointer.pointee.metadata) }

  public var streams: [SourceStream] {
    (0..<Int(pointer.pointee.nb_streams)).compactMap { index in
      pointer.pointee.streams[index].map { SourceStream(container: self, pointer: $0) }
    }
  }

  /// Packets of other streams are not delivered.
  public func select(_ indexes: Set<Int>) {
    for index in 0..<Int(pointer.pointee.nb_streams) {
      pointer.pointee.streams[index]?.pointee.discard = indexes.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet in file order; false at the end of the file.
  public func read(into packet: Packet) throws(FFmpegError) -> Bool {
    while true {
      packet.reset()
      let answer = av_read_frame(pointer, packet.pointer)
      let status = Self.failure(answer, of: pointer.pointee.pb)
      if status == bsc_AVERROR_EOF { return false }
      try check(status, "av_read_frame", on: (path as NSString).lastPathComponent)
      // What was read for the analysis is delivered whatever was selected since.
      if pointer.pointee.streams[packet.streamIndex]?.pointee.discard != AVDISCARD_ALL { return true }
    }
  }

  /// Goes to the last key frame at or before `ticks` (in the stream's time base, edit list applied).
  /// - Returns: false when the container can't be searched by time, for instance a raw stream.
  /// - Throws: also for a stream of another container.
  @discardableResult
  public func seek(stream: SourceStream, ticks: Int64) throws(FFmpegError) -> Bool {
    let status =
      stream.container === self
      ? av_seek_frame(pointer, stream.pointer.pointee.index, ticks, AVSEEK_FLAG_BACKWARD) : bsc_AVERROR_STREAM_NOT_FOUND
    // libav's own answer for "no such place", without an error code.
    if status == -1 { return false }
    try check(status, "av_seek_frame", on: (path as NSString).lastPathComponent)
    return true
  }
}

/// A dictionary of libav's as Swift's. Later duplicates of a key win.
func dictionary(_ pointer: OpaquePointer?) -> [String: String] {
  var result: [String: String] = [:]
  var entry: UnsafeMutablePointer<AVDictionaryEntry>?
  while let next = av_dict_get(pointer, "", entry, AV_DICT_IGNORE_SUFFIX) {
    result[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
    entry = next
  }
  return result
}
