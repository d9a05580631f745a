import ClipModel
import Foundation

/// Queries the terminal's features.
enum TerminalQuery {
  /// Returns whether the terminal supports Sixel pictures, based on its primary device attributes; `nil` if it doesn't
  /// reply, or if stdin or stdout is not a terminal.
  ///
  /// - Parameter timeout: the maximum time to wait for a reply. Local terminals reply immediately, remote ones after a
  ///   round trip. A later reply is read as typed text.
  static func supportsSixel(timeout: Duration = .milliseconds(100)) -> Bool? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    let terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    // Changing the terminal's settings from a background process would stop the process.
    guard tcgetpgrp(terminal) == getpgrp() else { return nil }
    return readAttributes(of: terminal, timeout: timeout).map { $0.contains(4) }
  }

  /// Returns the numbers in the reply to `ESC [ c`; `nil` if there is no reply.
  ///
  /// Raw mode keeps the reply from being echoed, and from being buffered until the end of a line. The terminal's
  /// original mode is always restored.
  static func readAttributes(of terminal: Int32, timeout: Duration) -> [Int]? {
    var original = termios()
    guard unsafe tcgetattr(terminal, &original) == 0 else { return nil }
    var raw = original
    // Signal keys are disabled, because an interruption would leave the terminal in raw mode.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    guard unsafe tcsetattr(terminal, TCSANOW, &raw) == 0 else { return nil }
    defer { _ = unsafe tcsetattr(terminal, TCSANOW, &original) }
    // Text that was typed ahead is meant for the shell, but would be read together with the terminal's reply.
    guard !isReadable(terminal, within: .zero), sendQuery(to: terminal) else { return nil }
    let deadline = ContinuousClock.now + timeout
    var reply: [UInt8] = []
    while reply.count < 256, isReadable(terminal, within: deadline - .now) {
      // Reads one byte at a time, because text that was typed after the reply belongs to the shell.
      var byte: UInt8 = 0
      guard unsafe read(terminal, &byte, 1) == 1 else { return nil }
      reply.append(byte)
      if let numbers = parseNumbers(in: reply) { return numbers }
    }
    return nil
  }

  /// Returns the numbers in a reply such as `ESC [ ? 62 ; 4 ; 22 c` at the end of the bytes.
  static func parseNumbers(in reply: [UInt8]) -> [Int]? {
    let text = String(decoding: reply, as: UTF8.self)
    guard text.last == "c", let start = text.range(of: "\u{1B}[?", options: .backwards)?.upperBound else { return nil }
    let numbers = text[start...].dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
  }

  private static func sendQuery(to terminal: Int32) -> Bool {
    let query = Array("\u{1B}[c".utf8)
    return unsafe write(terminal, query, query.count) == query.count
  }

  private static func isReadable(_ descriptor: Int32, within time: Duration) -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      let milliseconds = max(0, ((deadline - .now).seconds * 1000).rounded(.up))
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&polled, 1, Int32(milliseconds))
      if count < 0, errno == EINTR { continue }
      return count > 0 && polled.revents & Int16(POLLIN) != 0
    }
  }
}

extension TerminalProtocol {
  /// Returns the protocol of the terminal on stdout, based on the environment or a query; `nil` if stdout is not a
  /// terminal, or if it shows only plain text.
  static func detect(in environment: [String: String]) -> TerminalProtocol? {
    guard isatty(STDOUT_FILENO) == 1, !isPlain(environment) else { return nil }
    if let detected = TerminalProtocol(environment: environment) { return detected }
    let isRemote = environment["SSH_CONNECTION"] != nil
    let showsSixel = TerminalQuery.supportsSixel(timeout: isRemote ? .seconds(1) : .milliseconds(100))
    return showsSixel == true ? .sixel : .blocks
  }
}
