import ClipModel
import Foundation
import Reports
import Synchronization

/// The two output streams: results on stdout, human-readable messages on stderr.
enum Console {
  static func write(_ text: String) { write(StyledText(text)) }

  static func write(_ text: StyledText) {
    let text = isOutputTerminal ? text.wrapped(columns: outputSize.columns) : text
    writeRawText(text.rendered(isColored: isOutputColored))
  }

  /// Writes text unchanged, including control characters.
  static func writeRawText(_ text: String) { writeResult(Data(text.utf8)) }

  static func writeError(_ text: String) { writeError(StyledText(text)) }

  static func writeError(_ text: StyledText) {
    guard !isErrorJSON else {
      for line in text.plain.split(separator: "\n") { writeErrorJSON(TextEvent(detail: String(line))) }
      return
    }
    let text = isErrorTerminal ? text.wrapped(columns: errorSize.columns) : text
    writeRawErrorText(text.rendered(isColored: isErrorColored))
  }

  /// Writes `note: …` on its own line on stderr.
  static func writeNote(_ text: String) { writeError("\("note:", .faint) \(text)\n" as StyledText) }

  /// Asks a yes/no question on the terminal. If there is no input, the answer counts as no.
  static func confirm(_ question: StyledText) -> Bool {
    writeError(question + " [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Reads a line from stdin. On a terminal, it asks for it and doesn't show it. For secrets, because other users can see a
  /// command's arguments.
  static func readSecret(_ name: String) -> String? {
    isInputTerminal ? unsafe getpass("\(name): ").map { unsafe String(cString: $0) } : readLine()
  }

  /// Writes text unchanged, including control characters. Errors while writing to stderr are ignored.
  static func writeRawErrorText(_ text: String) {
    _ = writeAll(Data(text.utf8), to: STDERR_FILENO)
    if let last = text.unicodeScalars.last { isErrorLineOpen.store(last != "\n", ordering: .relaxed) }
  }

  private static let isErrorLineOpen = Atomic(false)
  private static let isAnythingWritten = Atomic(false)

  /// Whether anything was written to stdout or stderr.
  static var hasWritten: Bool { isAnythingWritten.load(ordering: .relaxed) }

  /// Restores the terminal's title and ends an unfinished line on stderr before the process exits early.
  static func restoreTerminal() {
    TerminalTitle.restore()
    if isErrorTerminal, isErrorLineOpen.load(ordering: .relaxed) { writeRawErrorText("\n") }
  }

  /// Writes to stdout, and exits if writing fails: the reader has exited (`bsc … | head`), or the disk is full.
  private static func writeResult(_ data: Data) {
    guard let code = writeAll(data, to: STDOUT_FILENO) else { return }
    // The exit code is 128 + SIGPIPE, as if the signal had ended the process.
    if code == EPIPE {
      restoreTerminal()
      _exit(141)
    }
    let explanation = Explanation(.resultNotWritten, ["reason": unsafe String(cString: strerror(code))])
    ErrorOutput.write(explanation, asJSON: false)
    restoreTerminal()
    _exit(ExitStatus.exitCode(for: explanation.category))
  }

  /// Writes all of the data, in several calls if necessary.
  /// - Returns: `errno` on failure; otherwise `nil`.
  private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
    if !data.isEmpty { isAnythingWritten.store(true, ordering: .relaxed) }
    return unsafe data.withUnsafeBytes { bytes -> Int32? in
      var rest = unsafe bytes[...]
      while let base = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
        let count = unsafe Foundation.write(descriptor, base, rest.count)
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
    if let line = try? JSONText.encodeLine(value) { writeRawText(line) }
  }

  /// A line of text among the events of `--progress json`.
  private struct TextEvent: Encodable {
    var event = "text"
    var detail: String
  }

  private static let arguments = Array(CommandLine.arguments.dropFirst())
  private static let isErrorJSON = ProgressMode.requestsJSON(arguments)

  /// Writes an event to stderr.
  static func writeErrorJSON(_ value: some Encodable) {
    if let line = try? JSONText.encodeLine(value) { writeRawErrorText(line) }
  }

  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  static let isOutputColored = isColored(isTerminal: isOutputTerminal)
  static let isErrorColored = isColored(isTerminal: isErrorTerminal)

  private static func isColored(isTerminal: Bool) -> Bool {
    ColorChoice(arguments: arguments).isEnabled(
      isTerminal: isTerminal, environment: ProcessInfo.processInfo.environment)
  }

  /// The size of the terminal on stdout; 80 by 24 if it is unknown.
  static var outputSize: TerminalSize { TerminalSize(descriptor: STDOUT_FILENO) ?? TerminalSize(columns: 80, rows: 24) }

  /// The size of the terminal on stderr; 80 by 24 if it is unknown.
  static var errorSize: TerminalSize { TerminalSize(descriptor: STDERR_FILENO) ?? TerminalSize(columns: 80, rows: 24) }
}
