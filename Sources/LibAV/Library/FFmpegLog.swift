import CFFmpeg
import CMediaShims
import Foundation
import Synchronization

/// libav's log: instead of stderr, the last warning of each thread is kept for the next `FFmpegError`.
enum FFmpegLog {
  /// Lines by thread. A thread that dies without taking its line leaves it behind, so the table is emptied when it
  /// grows beyond what a process has threads for.
  private static let lastLines = Mutex<[UInt: String]>([:])
  private static let threadLimit = 256

  private static let installed: Void = {
    bsc_log_install(
      { level, line, codec in
        let text = FFmpegLog.withoutContext(String(cString: line))
        if let codec, level <= AV_LOG_ERROR {
          Unmanaged<DecoderErrors>.fromOpaque(codec).takeUnretainedValue().note(text)
        }
        FFmpegLog.lastLines.withLock { lines in
          if lines.count > FFmpegLog.threadLimit { lines.removeAll() }
          lines[currentThreadID()] = text
        }
      }, AV_LOG_WARNING)
  }()

  /// Without `[mov,mp4 @ 0x7f5ff4006680] `: an address tells nobody anything.
  static func withoutContext(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.range(of: "] "), line[..<end.lowerBound].contains(" @ 0x") else {
      return line
    }
    return String(line[end.upperBound...])
  }

  /// Takes libav's log away from stderr. Called before anything else in this module.
  static func install() { installed }

  /// The last line on this thread, which is then forgotten.
  static func takeLastLine() -> String? {
    lastLines.withLock { $0.removeValue(forKey: currentThreadID()) }
  }

  static func forgetLastLine() { _ = takeLastLine() }

  private static func currentThreadID() -> UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
