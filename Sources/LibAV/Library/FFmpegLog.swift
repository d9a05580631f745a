import CFFmpeg
import CMediaShims
import Foundation
import Synchronization

/// Redirects libav's log from stderr, and keeps each thread's last warning for the next `FFmpegError`.
enum FFmpegLog {
  /// The last log line of each thread. Lines remain after their threads have ended, so the table is cleared if it grows
  /// too large.
  private static let lastLines = Mutex<[UInt: String]>([:])
  private static let threadLimit = 256

  private static let installed: Void = bsc_log_install(
    { level, line, codec in
      let text = FFmpegLog.removeContext(String(cString: line))
      if let codec, level <= AV_LOG_ERROR {
        Unmanaged<DecoderErrors>.fromOpaque(codec).takeUnretainedValue().record(text)
      }
      FFmpegLog.lastLines.withLock { lines in
        if lines.count > FFmpegLog.threadLimit { lines.removeAll() }
        lines[currentThreadID()] = text
      }
    }, AV_LOG_WARNING)

  /// Removes a prefix such as `[mov,mp4 @ 0x7f5ff4006680] ` from a log line.
  static func removeContext(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.range(of: "] "), line[..<end.lowerBound].contains(" @ 0x") else {
      return line
    }
    return String(line[end.upperBound...])
  }

  /// Installs the log callback. `LoadedLibraries.loadFFmpeg` calls this method.
  static func installCallback() { installed }

  /// Removes and returns the last log line of this thread.
  @discardableResult
  static func takeLastLine() -> String? {
    lastLines.withLock { $0.removeValue(forKey: currentThreadID()) }
  }

  private static func currentThreadID() -> UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
  }
}
