import Foundation
import Synchronization
import Testing

@testable import bsc

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Queries with a pseudo-terminal on which the test is the terminal.
@Suite struct TerminalQueryTests {
  @Test(arguments: [
    ("\u{1B}[?62;4;22c", [62, 4, 22]), ("\u{1B}[?1;2c", [1, 2]), ("\u{1B}[?6c", [6]),
    ("noise\u{1B}[?63;44c", [63, 44]),
  ])
  func responsesAreParsed(response: String, numbers: [Int]) {
    #expect(TerminalQuery.parseNumbers(in: Array(response.utf8)) == numbers)
  }

  @Test(arguments: ["", "c", "\u{1B}[?62;4", "\u{1B}[62;4c", "\u{1B}[?62;xc", "\u{1B}[?;c"])
  func otherTextIsIgnored(text: String) {
    #expect(TerminalQuery.parseNumbers(in: Array(text.utf8)) == nil)
  }

  @Test(arguments: [["\u{1B}[?62;4;22c"], ["\u{1B}[?6", "2;4", ";22c"]])
  func responseOfTerminalIsRead(parts: [String]) throws {
    let terminal = try PseudoTerminal()
    let before = try terminal.modes
    let seen = Mutex<(question: String, modes: tcflag_t?)>(("", nil))
    let answering = Thread {
      let question = terminal.readQuestion()
      seen.withLock { $0 = (question, try? terminal.modes) }
      for part in parts {
        terminal.type(part)
        while terminal.hasUnreadInput { sched_yield() }
      }
    }
    answering.start()
    #expect(TerminalQuery.readAttributes(of: terminal.inner, timeout: .seconds(10)) == [62, 4, 22])
    #expect(seen.withLock { $0.question } == "\u{1B}[c")
    let during = try #require(seen.withLock { $0.modes })
    #expect(during & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(try terminal.modes == before)
  }

  @Test(arguments: ["", "no answer", "\u{1B}[?62;4"])
  func missingResponseTimesOut(typed: String) throws {
    let terminal = try PseudoTerminal()
    let before = try terminal.modes
    let answering = Thread {
      _ = terminal.readQuestion()
      terminal.type(typed)
    }
    answering.start()
    let start = ContinuousClock.now
    #expect(TerminalQuery.readAttributes(of: terminal.inner, timeout: .milliseconds(100)) == nil)
    // A query must wait for a slow terminal.
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    #expect(try terminal.modes == before)
  }

  /// Typed input belongs to the shell.
  @Test func typedInputIsKept() throws {
    let terminal = try PseudoTerminal()
    terminal.type("ls\n")
    #expect(TerminalQuery.readAttributes(of: terminal.inner, timeout: .milliseconds(100)) == nil)
    // Without the input, a blocking read would not return.
    _ = fcntl(terminal.inner, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(terminal.inner, &bytes, 10) == 3)
    #expect(bytes.starts(with: Array("ls\n".utf8)))
  }

  @Test func filesAreNotTerminals() throws {
    let file = open("/dev/null", O_RDWR)
    defer { close(file) }
    #expect(TerminalQuery.readAttributes(of: file, timeout: .seconds(10)) == nil)
    #expect(TerminalSize(descriptor: file) == nil)
  }

  @Test func sizeIsThatOfTerminal() throws {
    let terminal = try PseudoTerminal()
    var size = winsize(ws_row: 50, ws_col: 132, ws_xpixel: 1188, ws_ypixel: 900)
    try #require(ioctl(terminal.outer, UInt(TIOCSWINSZ), &size) == 0)
    let read = try #require(TerminalSize(descriptor: terminal.inner))
    #expect(read == TerminalSize(columns: 132, rows: 50, width: 1188, height: 900))
    #expect(read.cellWidth == 9 && read.cellHeight == 18)
  }
}

/// The program uses the inner descriptor, and the test, as the terminal, the outer one.
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

  /// Whether the program has not yet read all input.
  var hasUnreadInput: Bool {
    var count: Int32 = 0
    return ioctl(inner, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// The next output of the program.
  func readQuestion() -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(outer, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
