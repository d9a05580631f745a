import Foundation
import Synchronization
import Testing

@testable import bsc

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// With a pseudo-terminal whose other side is the test.
@Suite struct TerminalQueryTests {
  @Test(arguments: [
    ("\u{1B}[?62;4;22c", [62, 4, 22]), ("\u{1B}[?1;2c", [1, 2]), ("\u{1B}[?6c", [6]),
    ("noise\u{1B}[?63;44c", [63, 44]),
  ])
  func answersAreRead(answer: String, numbers: [Int]) {
    #expect(TerminalQuery.numbers(in: Array(answer.utf8)) == numbers)
  }

  @Test(arguments: ["", "c", "\u{1B}[?62;4", "\u{1B}[62;4c", "\u{1B}[?62;xc", "\u{1B}[?;c"])
  func otherTextIsNoAnswer(text: String) {
    #expect(TerminalQuery.numbers(in: Array(text.utf8)) == nil)
  }

  @Test(arguments: [["\u{1B}[?62;4;22c"], ["\u{1B}[?6", "2;4", ";22c"]])
  func terminalThatAnswersIsHeard(parts: [String]) throws {
    let terminal = try PseudoTerminal()
    let before = try terminal.modes
    let seen = Mutex<(question: String, modes: tcflag_t?)>(("", nil))
    let answering = Thread {
      let question = terminal.readQuestion()
      seen.withLock { $0 = (question, try? terminal.modes) }
      for part in parts {
        terminal.type(part)
        usleep(5000)
      }
    }
    answering.start()
    #expect(TerminalQuery.attributes(of: terminal.inner, timeout: .seconds(10)) == [62, 4, 22])
    #expect(seen.withLock { $0.question } == "\u{1B}[c")
    let during = try #require(seen.withLock { $0.modes })
    #expect(during & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(try terminal.modes == before)
  }

  @Test(arguments: ["", "no answer", "\u{1B}[?62;4"])
  func silenceIsWaitedForNotLonger(typed: String) throws {
    let terminal = try PseudoTerminal()
    let before = try terminal.modes
    let answering = Thread {
      _ = terminal.readQuestion()
      terminal.type(typed)
    }
    answering.start()
    let began = ContinuousClock.now
    #expect(TerminalQuery.attributes(of: terminal.inner, timeout: .milliseconds(100)) == nil)
    let took = ContinuousClock.now - began
    #expect(took >= .milliseconds(100) && took < .seconds(60), "\(took)")
    #expect(try terminal.modes == before)
  }

  /// It belongs to the shell.
  @Test func whatIsTypedAheadIsLeft() throws {
    let terminal = try PseudoTerminal()
    terminal.type("ls\n")
    #expect(TerminalQuery.attributes(of: terminal.inner, timeout: .milliseconds(100)) == nil)
    // Were it gone, a read would wait for ever.
    _ = fcntl(terminal.inner, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(terminal.inner, &bytes, 10) == 3)
    #expect(bytes.starts(with: Array("ls\n".utf8)))
  }

  @Test func filesAreNoTerminals() throws {
    let file = open("/dev/null", O_RDWR)
    defer { close(file) }
    #expect(TerminalQuery.attributes(of: file, timeout: .seconds(10)) == nil)
    #expect(TerminalSize(descriptor: file) == nil)
  }

  @Test func sizeIsThatOfTheTerminal() throws {
    let terminal = try PseudoTerminal()
    var size = winsize(ws_row: 50, ws_col: 132, ws_xpixel: 1188, ws_ypixel: 900)
    try #require(ioctl(terminal.outer, UInt(TIOCSWINSZ), &size) == 0)
    let read = try #require(TerminalSize(descriptor: terminal.inner))
    #expect(read == TerminalSize(columns: 132, rows: 50, width: 1188, height: 900))
    #expect(read.cellWidth == 9 && read.cellHeight == 18)
  }
}

/// Two ends: the program has the inner one, whoever plays the terminal the outer one.
private final class PseudoTerminal: Sendable {
  let outer: Int32
  let inner: Int32

  struct Failure: Error {}

  init() throws {
    var ends: (outer: Int32, inner: Int32) = (-1, -1)
    guard openpty(&ends.outer, &ends.inner, nil, nil, nil) == 0 else { throw Failure() }
    (outer, inner) = ends
  }

  deinit {
    close(inner)
    close(outer)
  }

  /// The local modes.
  var modes: tcflag_t {
    get throws {
      var state = termios()
      guard tcgetattr(inner, &state) == 0 else { throw Failure() }
      return state.c_lflag
    }
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(outer, bytes, bytes.count)
  }

  /// What the program writes next.
  func readQuestion() -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(outer, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
