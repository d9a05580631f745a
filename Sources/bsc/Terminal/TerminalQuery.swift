import ClipModel
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Asks the terminal itself what it can do.
enum TerminalQuery {
  /// Whether the terminal shows Sixel pictures, by its primary device attributes; `nil` when it does not answer, or
  /// when there is nobody to ask. Only for when stdin and stdout are terminals and the environment says nothing.
  ///
  /// - Parameter timeout: terminals answer at once; over a network one needs the time of a round trip. What comes later
  ///   is taken for typed text.
  static func showsSixel(timeout: Duration = .milliseconds(100)) -> Bool? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    let terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    // From the background, changing the terminal would stop the process.
    guard tcgetpgrp(terminal) == getpgrp() else { return nil }
    return attributes(of: terminal, timeout: timeout).map { $0.contains(4) }
  }

  /// The numbers of the answer to `ESC [ c`; `nil` without one.
  ///
  /// In raw mode, so that the answer is neither shown nor held back until a line is full. However it ends, the terminal
  /// is as it was before.
  static func attributes(of terminal: Int32, timeout: Duration) -> [Int]? {
    var original = termios()
    guard unsafe tcgetattr(terminal, &original) == 0 else { return nil }
    var raw = original
    // Signal keys too: an interruption in between would leave the terminal raw.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    guard unsafe tcsetattr(terminal, TCSANOW, &raw) == 0 else { return nil }
    defer { _ = unsafe tcsetattr(terminal, TCSANOW, &original) }
    // What was typed ahead is for the shell; it would be read with the answer.
    guard !isReadable(terminal, within: .zero), ask(terminal) else { return nil }
    let deadline = ContinuousClock.now + timeout
    var answer: [UInt8] = []
    while answer.count < 256, isReadable(terminal, within: deadline - .now) {
      // One at a time, in order not to take what is typed behind the answer.
      var byte: UInt8 = 0
      guard unsafe read(terminal, &byte, 1) == 1 else { return nil }
      answer.append(byte)
      if let numbers = numbers(in: answer) { return numbers }
    }
    return nil
  }

  /// `ESC [ ? 62 ; 4 ; 22 c`, whatever is in front of it.
  static func numbers(in answer: [UInt8]) -> [Int]? {
    let text = String(decoding: answer, as: UTF8.self)
    guard text.last == "c", let start = text.range(of: "\u{1B}[?", options: .backwards)?.upperBound else { return nil }
    let numbers = text[start...].dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
  }

  private static func ask(_ terminal: Int32) -> Bool {
    let question = Array("\u{1B}[c".utf8)
    return unsafe write(terminal, question, question.count) == question.count
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
  /// What the terminal on stdout shows, by its environment or by its own answer; `nil` when it shows no pictures at all,
  /// or when stdout is no terminal.
  static func detected(in environment: [String: String]) -> TerminalProtocol? {
    guard isatty(STDOUT_FILENO) == 1, !isPlain(environment) else { return nil }
    if let told = TerminalProtocol(environment: environment) { return told }
    let isRemote = environment["SSH_CONNECTION"] != nil
    let showsSixel = TerminalQuery.showsSixel(timeout: isRemote ? .seconds(1) : .milliseconds(100))
    return showsSixel == true ? .sixel : .blocks
  }
}
