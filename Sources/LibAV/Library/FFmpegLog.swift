import CFFmpeg
import CMediaShims
import Foundation
import Synchronization

/// Redirects libav's log from stderr: the last warning of each thread is kept for the next `FFmpegError`.
enum FFmpegLog {
  /// The last line of each thread. The line of a thread remains after the thread ends, so the table is cleared when it
  /// has more entries than a process can have threads.
  private static let lastLines = Mutex<[UInt: String]>([:])
  private static let threadLimit = 256

  private static let installed: Void = bsc_log_install(
    { level, line, codec in
      let text = FFmpegLog.withoutContext(String(cString: line))
      if let codec, level <= AV_LOG_ERROR {
        Unmanaged<DecoderErrors>.fromOpaque(codec).takeUnretainedValue().record(text)
      }
      FFmpegLog.lastLines.withLock { lines in
        if lines.count > FFmpegLog.threadLimit { lines.removeAll() }
        lines[currentThreadID()] = text
      }
    }, AV_LOG_WARNING)

  /// Removes the `[mov,mp4 @ 0x7f5ff4006680] ` prefix of a line.
  static func withoutContext(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.range(of: "] "), line[..<end.lowerBound].contains(" @ 0x") else {
      return line
    }
    return String(line[end.upperBound...])
  }

  /// Installs the log callback. Call this before any other function of libav.
  static func install() { installed }

  /// Returns the last line of this thread and removes it.
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
