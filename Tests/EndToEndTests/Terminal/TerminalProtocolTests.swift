import Testing

@testable import bsc

@Suite struct TerminalProtocolTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var environment: [String: String]
    var expected: TerminalProtocol?
    var testDescription: String { "\(environment)" }

    init(_ environment: [String: String], _ expected: TerminalProtocol?) {
      self.environment = environment
      self.expected = expected
    }
  }

  @Test(arguments: [
    Case(["TERM": "xterm-kitty"], .kitty),
    Case(["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
    Case(["TERM": "xterm-ghostty"], .kitty),
    Case(["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
    Case(["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm2),
    Case(["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm2),
    Case(["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm2),
    Case(["TERM": "xterm-256color", "WEZTERM_PANE": "0"], .iterm2),
    Case(["TERM": "xterm", "TERM_PROGRAM": "mintty"], .iterm2),
    Case(["TERM": "xterm-256color", "KONSOLE_VERSION": "220400"], .sixel),
    Case(["TERM": "xterm-256color", "KONSOLE_VERSION": "211203"], .blocks),
    Case(["TERM": "foot"], .sixel), Case(["TERM": "foot-extra"], .sixel),
    Case(["TERM": "contour-latest"], .sixel), Case(["TERM": "mlterm-256color"], .sixel),
    Case(["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], .blocks),
    Case(["TERM": "alacritty"], .blocks), Case(["TERM": "linux"], .blocks),
  ])
  func knownTerminalsAreRecognized(_ known: Case) {
    #expect(TerminalProtocol(environment: known.environment) == known.expected)
  }

  /// Only some terminals with these variables support pictures.
  @Test(arguments: [
    Case(["TERM": "xterm-256color"], nil), Case(["TERM": "xterm-256color", "VTE_VERSION": "7600"], nil),
    Case(["TERM": "xterm-256color", "WT_SESSION": "1"], nil),
    Case(["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], nil), Case([:], nil),
    Case(["TERM": "xterm-256color", "KITTY_WINDOW_ID": ""], nil),
  ])
  func otherTerminalsAreQueried(_ other: Case) {
    #expect(TerminalProtocol(environment: other.environment) == nil)
  }

  @Test(arguments: [
    ["TERM": "tmux-256color", "TMUX": "1,0", "KITTY_WINDOW_ID": "1"],
    ["TERM": "screen-256color", "TERM_PROGRAM": "iTerm.app"], ["TERM": "xterm-kitty", "STY": "1.a"],
    ["TERM": "xterm-kitty", "ZELLIJ": "0"], ["TERM": "foot", "TMUX": "x"], ["TERM": "tmux", "LC_TERMINAL": "iTerm2"],
  ])
  func multiplexersUseText(environment: [String: String]) {
    #expect(TerminalProtocol(environment: environment) == .blocks)
  }

  /// A terminal started from another one inherits its variables, but not its `TERM`.
  @Test func termHasPrecedenceOverInheritedVariables() {
    #expect(TerminalProtocol(environment: ["TERM": "alacritty", "KITTY_WINDOW_ID": "1"]) == .blocks)
    #expect(TerminalProtocol(environment: ["TERM": "foot", "TERM_PROGRAM": "iTerm.app"]) == .sixel)
    let both = ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"]
    #expect(TerminalProtocol(environment: both) == .iterm2)
  }

  @Test func plainTerminalsAreRecognized() {
    #expect(TerminalProtocol.isPlain([:]) && TerminalProtocol.isPlain(["TERM": "dumb"]))
    #expect(!TerminalProtocol.isPlain(["TERM": "xterm"]))
  }

  @Test(arguments: [
    (80, 24, 800, 480, 10, 20), (80, 24, 0, 0, 10, 20), (100, 50, 1650, 1750, 16, 35), (80, 24, 80, 24, 10, 20),
    (80, 24, 640, 0, 10, 20),
  ])
  func cellSizeIsKnown(columns: Int, rows: Int, width: Int, height: Int, cellWidth: Int, cellHeight: Int) {
    let size = TerminalSize(columns: columns, rows: rows, width: width, height: height)
    #expect(size.cellWidth == cellWidth && size.cellHeight == cellHeight)
    #expect(size.columns == columns && size.rows == rows)
  }

  @Test func unknownScreenHasDefaultCell() {
    let size = TerminalSize(columns: 0, rows: 0)
    #expect(size.columns == 80 && size.rows == 24)
  }
}
