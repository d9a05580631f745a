import ClipModel
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// The two streams: stdout is the result, stderr is for people.
enum Console {
  static func write(_ text: String) { writeResult(Data(printable(text).utf8)) }

  /// Pictures for terminals: what they obey is all there is.
  static func writeRaw(_ text: String) { writeResult(Data(text.utf8)) }

  /// Without what a terminal would obey: names and metadata come from strangers' files.
  static func printable(_ text: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// A stderr that takes nothing is no reason to stop.
  static func writeError(_ text: String) { _ = put(Data(text.utf8), to: STDERR_FILENO) }

  /// A result that cannot be delivered is a failure: the reader left (`bsc … | head`), or the disk is full.
  private static func writeResult(_ data: Data) {
    guard let code = put(data, to: STDOUT_FILENO) else { return }
    // 128 + SIGPIPE, as a program that the signal ended.
    if code == EPIPE { _exit(141) }
    let explanation = Explanation(
      what: "cannot write the result", why: unsafe String(cString: strerror(code)), next: "write it to another place",
      category: .inputOutput)
    writeError("error: \(explanation.what): \(explanation.why)\nnext: \(explanation.next ?? "")\n")
    _exit(ExitStatus.code(for: explanation.category))
  }

  /// Writes everything; `errno` when that fails.
  private static func put(_ data: Data, to descriptor: Int32) -> Int32? {
    unsafe data.withUnsafeBytes { bytes in
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

  /// The same on stderr, for progress.
  static func writeErrorJSON(_ value: some Encodable) {
    if let line = try? JSONText.line(value) { writeError(line) }
  }

  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Columns of the terminal on stderr; 80 when unknown.
  static var width: Int { errorSize.columns }

  /// Of the terminal on stderr; 80 by 24 when unknown.
  static var errorSize: TerminalSize { TerminalSize(descriptor: STDERR_FILENO) ?? TerminalSize(columns: 80, rows: 24) }
}
