import CFFmpeg
public import ClipModel
import Foundation

/// A libav call that failed: which, on what, its code, and libav's last log line, which often says more than the code.
public struct FFmpegError: ExplainedError, Equatable {
  /// libav's `AVERROR`, negative.
  public var code: Int32
  /// The C function: `avformat_open_input`.
  public var call: String
  /// What it worked on: a file's name or a codec.
  public var subject: String
  /// libav's last warning or error on this thread, without secrets: we open local files only.
  public var logLine: String?

  init(_ code: Int32, call: String, subject: String) {
    self.code = code
    self.call = call
    self.subject = subject
    self.logLine = FFmpegLog.takeLastLine()
  }

  /// The operation was cancelled through its `Interruption`.
  public var isInterruption: Bool { code == bsc_AVERROR_EXIT }

  /// The file is of a kind that is not opened on purpose (`InputContainer.demuxers`).
  public var isForbiddenFormat: Bool { logLine?.hasPrefix("Format not on whitelist") ?? false }

  /// A packet could not be decoded: the source is damaged.
  public var isOfTheDecoder: Bool {
    !isInterruption && ["avcodec_send_packet", "avcodec_receive_frame"].contains(call)
  }

  /// A decoder cannot be made: nothing here knows the codec, or its setup is damaged.
  public var isOfAnUnusableDecoder: Bool {
    ["avcodec_find_decoder", "avcodec_open2"].contains(call) && code != bsc_AVERROR_ENOMEM
  }

  public var isDiskFull: Bool { [ENOSPC, EDQUOT].contains(bsc_averror_errno(code)) }

  public var mayPass: Bool { PassingFailure.isOne(errno: bsc_averror_errno(code)) }

  /// libav's words for the code: `Invalid data found when processing input`.
  public var codeText: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress, av_strerror(code, base, buffer.count) == 0 else { return "error \(code)" }
      return String(cString: base)
    }
  }

  public var explanation: Explanation {
    var why = codeText.prefix(1).lowercased() + codeText.dropFirst()
    // The last line of the log is about something else then.
    if let logLine, !isDiskFull, !mayPass { why += " (\(logLine))" }
    if isMissingFilter { why = "libavfilter is not installed" }
    if isDiskFull { why = "disk full" }
    // The temporary has its own name until it is finished; the user knows the final one.
    let subject = subject.replacing(/\.(.+)\.bsc-[0-9a-f]+\.tmp/) { $0.1 }
    return Explanation(
      id: id, what: "cannot \(operation) \(subject)", why: why,
      facts: [operation == "write" ? "output" : "file": subject, "call": call], category: category)
  }

  private var id: String {
    if isInterruption { return "error.interrupted" }
    if isDiskFull { return "file.disk-full" }
    if mayPass { return "file.io-error" }
    if isMissingFilter { return "clip.filter-missing" }
    return operation == "write" ? "output.libav-error" : "clip.libav-error"
  }

  /// Deinterlacing needs libavfilter, which is loaded at run time.
  private var isMissingFilter: Bool { call == "bwdif" && bsc_averror_errno(code) == ENOSYS }

  private var operation: String {
    switch call {
    case "avformat_open_input": "open"
    case "avformat_find_stream_info", "av_read_frame", "av_seek_frame", "avformat_seek_file": "read"
    case "avcodec_send_packet", "avcodec_receive_frame": "decode"
    case "avcodec_send_frame", "avcodec_receive_packet": "encode"
    case "av_interleaved_write_frame", "av_write_trailer", "avformat_write_header", "avio_open2", "avio_closep":
      "write"
    case "bwdif", "av_buffersrc_add_frame", "av_buffersink_get_frame": "deinterlace"
    default: "process (\(call))"
    }
  }

  private var category: FailureCategory {
    if isInterruption { return .interrupted }
    switch bsc_averror_errno(code) {
    case ENOENT, EACCES, EISDIR: return .noInput
    case ENOSPC, EDQUOT, EROFS, EFBIG: return .inputOutput
    default: if mayPass { return .inputOutput }
    }
    // What a reader wants memory for is the file's claim, and damage; what anything else wants it for is work.
    let isOfTheReader = ["avformat_open_input", "avformat_find_stream_info", "av_read_frame"].contains(call)
    return code == bsc_AVERROR_ENOMEM && !isOfTheReader ? .unexpected : .unjudged
  }
}

/// Throws when a libav call answered with an error; the one place where `AVERROR` becomes an error of ours.
@discardableResult
func check(_ code: Int32, _ call: String, on subject: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
  guard code < 0 else { return code }
  throw FFmpegError(code, call: call, subject: subject())
}

/// Throws "out of memory" when a libav allocation gave nothing.
func allocated<Object>(
  _ object: UnsafeMutablePointer<Object>?, _ call: String
) throws(FFmpegError) -> UnsafeMutablePointer<Object> {
  guard let object else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: call, subject: "memory") }
  return object
}
