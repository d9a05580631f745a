import CFFmpeg
public import ClipModel
import Foundation

/// A failed libav call. The error includes libav's last log line, which is often more specific than the error code.
public struct FFmpegError: ExplainedError, Equatable {
  /// libav's `AVERROR` code, which is negative.
  public var code: Int32
  /// The C function that failed, such as `avformat_open_input`.
  public var call: String
  /// The subject of the call, such as the name of a file or codec.
  public var subject: String
  /// The last warning or error that libav logged on this thread. The line contains no secrets, because only local files
  /// are opened.
  public var logLine: String?

  init(_ code: Int32, call: String, subject: String) {
    self.code = code
    self.call = call
    self.subject = subject
    self.logLine = FFmpegLog.takeLastLine()
  }

  /// Creates the error for a library of FFmpeg that cannot be loaded.
  init(missingLibrary reason: String) {
    code = -ENOSYS
    call = "dlopen"
    subject = "FFmpeg"
    logLine = reason
  }

  /// Whether the operation was canceled through its `Interruption`.
  public var isInterruption: Bool { code == bsc_AVERROR_EXIT }

  /// Whether the container format isn't listed in `InputContainer.demuxers`.
  public var isForbiddenFormat: Bool { logLine?.hasPrefix("Format not on whitelist") ?? false }

  /// Whether a packet cannot be decoded because the source is damaged.
  public var isDecodingFailure: Bool {
    !isInterruption && ["avcodec_send_packet", "avcodec_receive_frame"].contains(call)
  }

  /// Whether the decoder cannot be opened because the codec is unknown or its configuration is damaged.
  public var isUnusableDecoder: Bool {
    ["avcodec_find_decoder", "avcodec_open2"].contains(call) && !isOutOfMemory
  }

  /// Whether memory ran out. Another try may succeed, unless the file is damaged and requests too much.
  public var isOutOfMemory: Bool { code == bsc_AVERROR_ENOMEM }

  public var isDiskFull: Bool { [ENOSPC, EDQUOT].contains(bsc_averror_errno(code)) }

  public var isTransient: Bool { TransientErrno.contains(bsc_averror_errno(code)) }

  /// libav's description of the code, such as `Invalid data found when processing input`.
  public var codeText: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress, av_strerror(code, base, buffer.count) == 0 else { return "error \(code)" }
      return String(cString: base)
    }
  }

  public var explanation: Explanation {
    if isMissingLibrary {
      return Explanation(
        id: "error.library-missing", what: "cannot load \(subject)", why: logLine ?? "a library is missing",
        facts: ["library": subject], category: .notConfigured)
    }
    var why = codeText.prefix(1).lowercased() + codeText.dropFirst()
    // For disk errors, the last log line is unrelated.
    if let logLine, !isDiskFull, !isTransient { why += " (\(logLine))" }
    if isMissingFilter { why = "libavfilter is not installed" }
    if isDiskFull { why = "disk full" }
    // Show the final file name, which the user knows, instead of the temporary name.
    let subject = subject.replacing(/\.(.+)\.bsc-[0-9a-f]+\.tmp/) { $0.1 }
    return Explanation(
      id: id, what: "cannot \(operation) \(subject)", why: why,
      facts: [operation == "write" ? "output" : "file": subject, "call": call], category: category)
  }

  private var id: String {
    if isInterruption { return "error.interrupted" }
    if isDiskFull { return "file.disk-full" }
    if isTransient { return "file.io-error" }
    if isMissingFilter { return "clip.filter-missing" }
    return operation == "write" ? "output.libav-error" : "clip.libav-error"
  }

  /// Whether libavfilter, which is loaded at run time for deinterlacing, is missing.
  private var isMissingFilter: Bool { call == "bwdif" && bsc_averror_errno(code) == ENOSYS }

  /// Whether a library of FFmpeg is missing. In this case, no function of FFmpeg can be called.
  private var isMissingLibrary: Bool { call == "dlopen" }

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
    case EMFILE, ENFILE: return .unexpected
    default: if isTransient { return .inputOutput }
    }
    // If memory runs out while a file is being read, the file is probably damaged and requested too much. In all other
    // cases, the system is low on memory.
    let isReading = ["avformat_open_input", "avformat_find_stream_info", "av_read_frame"].contains(call)
    return isOutOfMemory && !isReading ? .unexpected : .unjudged
  }
}

/// Throws an error if a libav call has failed. Only this function converts an `AVERROR` code to a Swift error.
@discardableResult
func check(_ code: Int32, _ call: String, on subject: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
  guard code < 0 else { return code }
  throw FFmpegError(code, call: call, subject: subject())
}

/// Throws an out-of-memory error if a libav allocation returned `NULL`.
func requireAllocated<Object>(
  _ object: UnsafeMutablePointer<Object>?, _ call: String
) throws(FFmpegError) -> UnsafeMutablePointer<Object> {
  guard let object else { throw FFmpegError(bsc_AVERROR_ENOMEM, call: call, subject: "memory") }
  return object
}

/// Calls a libav function with a dictionary of options.
func withOptions(_ options: [(String, String)], _ body: (inout OpaquePointer?) -> Int32) -> Int32 {
  var dictionary: OpaquePointer?
  defer { av_dict_free(&dictionary) }
  for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
  return body(&dictionary)
}
