import ClipModel
import Foundation
import Reports
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The two streams: stdout is the result, stderr is for people.
enum Console {
  static func write(_ text: String) { write(StyledText(text)) }

  static func write(_ text: StyledText) {
    let text = isOutputTerminal ? text.wrapped(columns: outputSize.columns) : text
    writeResult(Data(text.rendered(isColored: isOutputColored).utf8))
  }

  /// Pictures for terminals: what they obey is all there is.
  static func writeRaw(_ text: String) { writeResult(Data(text.utf8)) }

  static func writeError(_ text: String) { writeError(StyledText(text)) }

  static func writeError(_ text: StyledText) {
    guard !isErrorJSON else {
      for line in text.plain.split(separator: "\n") { writeErrorJSON(TextEvent(detail: String(line))) }
      return
    }
    let text = isErrorTerminal ? text.wrapped(columns: errorSize.columns) : text
    writeErrorRaw(text.rendered(isColored: isErrorColored))
  }

  /// `note: …`, on a line of its own.
  static func note(_ text: String) { writeError("\("note:", .faint) \(text)\n" as StyledText) }

  /// What terminals obey, too. A stderr that takes nothing is no reason to stop.
  static func writeErrorRaw(_ text: String) {
    _ = put(Data(text.utf8), to: STDERR_FILENO)
    if let last = text.unicodeScalars.last { isErrorLineOpen.store(last != "\n", ordering: .relaxed) }
  }

  private static let isErrorLineOpen = Atomic(false)
  private static let isAnythingWritten = Atomic(false)

  /// Something was written to either stream.
  static var hasWritten: Bool { isAnythingWritten.load(ordering: .relaxed) }

  /// For whoever ends the process in the middle of its work: the shell goes on at the beginning of a line.
  static func leaveTerminal() {
    TerminalTitle.restore()
    if isErrorTerminal, isErrorLineOpen.load(ordering: .relaxed) { writeErrorRaw("\n") }
  }

  /// A result that cannot be delivered is a failure: the reader left (`bsc … | head`), or the disk is full.
  private static func writeResult(_ data: Data) {
    guard let code = put(data, to: STDOUT_FILENO) else { return }
    // 128 + SIGPIPE, as a program that the signal ended.
    if code == EPIPE {
      leaveTerminal()
      _exit(141)
    }
    let explanation = Explanation(.resultNotWritten, ["reason": unsafe String(cString: strerror(code))])
    ErrorOutput.write(explanation, asJSON: false)
    leaveTerminal()
    _exit(ExitStatus.code(for: explanation.category))
  }

  /// Writes everything; `errno` when that fails.
  private static func put(_ data: Data, to descriptor: Int32) -> Int32? {
    if !data.isEmpty { isAnythingWritten.store(true, ordering: .relaxed) }
    return unsafe data.withUnsafeBytes { bytes -> Int32? in
      var rest = unsafe bytes[...]
      while let base = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
        #if canImport(Darwin)
          let count = unsafe Darwin.write(descriptor, base, rest.count)
        #else
          let count = unsafe Glibc.write(descriptor, base, rest.count)
        #endif
        if count > 0 {
          unsafe rest = rest.dropFirst(count)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  static func writeJSON(_ value: some Encodable) {
    if let line = try? JSONText.line(value) { writeResult(Data(line.utf8)) }
  }

  /// What people would read, among the events of `--progress json`.
  private struct TextEvent: Encodable {
    var event = "text"
    var detail: String
  }

  private static let isErrorJSON = ProgressMode.isJSON(Array(CommandLine.arguments.dropFirst()))

  /// The same on stderr, for progress.
  static func writeErrorJSON(_ value: some Encodable) {
    if let line = try? JSONText.line(value) { writeErrorRaw(line) }
  }

  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  static let isOutputColored = isColored(STDOUT_FILENO)
  static let isErrorColored = isColored(STDERR_FILENO)

  private static func isColored(_ descriptor: Int32) -> Bool {
    ColorChoice(arguments: Array(CommandLine.arguments.dropFirst()))
      .isOn(isTerminal: isatty(descriptor) == 1, environment: ProcessInfo.processInfo.environment)
  }

  /// Columns of the terminal on stderr; 80 when unknown.
  static var width: Int { errorSize.columns }

  /// Of the terminal on stdout; 80 by 24 when unknown.
  static var outputSize: TerminalSize {
    TerminalSize(descriptor: STDOUT_FILENO) ?? TerminalSize(columns: 80, rows: 24)
  }

  /// Of the terminal on stderr; 80 by 24 when unknown.
  static var errorSize: TerminalSize { TerminalSize(descriptor: STDERR_FILENO) ?? TerminalSize(columns: 80, rows: 24) }
}
