import TestSupport
import Testing

@testable import bsc

/// The choice of live lines, bars and colors for a terminal.
@Suite struct TerminalStyleTests {
  @Test(
    arguments: [
      (ProgressStyle.auto, false, true, "xterm", ProgressMode.moving), (.auto, false, true, "dumb", .plain),
      (.auto, false, true, "", .plain), (.auto, false, true, nil, .plain), (.auto, false, false, "xterm", .plain),
      (.auto, true, true, "xterm", .none), (.plain, true, true, "xterm", .plain),
      (.bar, false, false, "xterm", .moving),
      (.json, true, false, nil, .json), (.none, false, true, "xterm", .none),
    ] as [(ProgressStyle, Bool, Bool, String?, ProgressMode)])
  func liveLinesRequireControlSequences(
    style: ProgressStyle, isQuiet: Bool, isTerminal: Bool, term: String?, mode: ProgressMode
  ) {
    let environment = term.map { ["TERM": $0] } ?? [:]
    #expect(ProgressMode(style, isQuiet: isQuiet, isTerminal: isTerminal, environment: environment) == mode)
  }

  @Test(
    arguments: [
      (["LANG": "en_US.UTF-8"], true), (["LANG": "C.UTF-8", "LC_ALL": ""], true), (["LANG": "de_DE.utf8@euro"], true),
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_CTYPE": "POSIX", "LANG": "en_US.UTF-8"], false),
      (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true), (["LANG": "de_DE.ISO-8859-1"], false), ([:], false),
      (["LANG": "C.UTF-8", "TERM": "linux"], false),
    ] as [([String: String], Bool)]) func barsAreASCIIInASCIILocales(
      environment: [String: String], isUnicode: Bool
    )
  {
    #expect(TerminalGlyphs(environment: environment) == (isUnicode ? .unicode : .ascii))
    let glyphs = TerminalGlyphs(environment: environment)
    let drawn = glyphs.drawBar(0.5, cells: 4) + glyphs.spinner.joined() + glyphs.ellipsis + glyphs.multiplicationSign
    #expect(drawn.unicodeScalars.allSatisfy(\.isASCII) == !isUnicode)
  }

  @Test(
    arguments: [
      (ColorChoice.auto, true, ["TERM": "xterm"], true), (.auto, false, ["TERM": "xterm"], false),
      (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false), (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
      (.auto, true, ["TERM": "dumb"], false), (.auto, true, [:], false),
      (.auto, false, ["CLICOLOR_FORCE": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, true, ["TERM": "xterm", "CLICOLOR": "0"], false),
      (.auto, true, ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
      (.always, false, ["NO_COLOR": "1"], true), (.never, true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false),
    ] as [(ColorChoice, Bool, [String: String], Bool)]) func colorChoiceIsFollowed(
      choice: ColorChoice, isTerminal: Bool, environment: [String: String], isOn: Bool
    )
  {
    #expect(choice.isEnabled(isTerminal: isTerminal, environment: environment) == isOn)
  }

  @Test(arguments: [
    (["share", "a.mp4"], ColorChoice.auto), (["share", "--color", "never"], .never),
    (["--color=always", "x"], .always),
    (["share", "--", "--color=always"], .auto), (["share", "--color", "pink"], .auto), (["share", "--color"], .auto),
  ]) func colorOptionIsReadFromInvalidCommandLine(arguments: [String], choice: ColorChoice) {
    #expect(ColorChoice(arguments: arguments) == choice)
  }

  /// Names cannot contain colors or other control sequences.
  @Test func namesHaveNoControlSequences() {
    let name = "evil\u{1B}[31m\u{9B}2J\r.mp4"
    let text: StyledText = "\("error:", .bad) cannot open \(name, .strong)\n"
    #expect(text.rendered(isColored: false) == "error: cannot open evil\u{FFFD}[31m\u{FFFD}2J\u{FFFD}.mp4\n")
    #expect(
      text.rendered(isColored: true)
        == "\u{1B}[1;31merror:\u{1B}[0m cannot open \u{1B}[1mevil\u{FFFD}[31m\u{FFFD}2J\u{FFFD}.mp4\u{1B}[0m\n")
  }

  /// Numbers stay on the line of their unit.
  @Test func longLinesWrapAtWords() {
    let text: StyledText = "\("6 done", .good) in 0.4 s; 7.6 MB became 7.6 MB: 19 kB saved (0 %)"
    #expect(text.wrapped(columns: 80, indent: 4) == text)
    #expect(
      text.wrapped(columns: 20, indent: 4).plain.split(separator: "\n")
        == ["6 done in 0.4 s;", "    7.6 MB became", "    7.6 MB: 19 kB", "    saved (0 %)"])
  }

  /// Wrapped lines are indented below their value, and text to copy is not wrapped.
  @Test(arguments: [
    ("  clip       /home/me/a b c/rally.mp4", 30, ["  clip       /home/me/a b", "             c/rally.mp4"]),
    (
      "error: cannot read a.mp4: it is gone", 24,
      ["error: cannot read", "    a.mp4: it is gone"]
    ),
    (
      "next: give it back, or run \"bsc jobs cancel 3f2a\" now", 30,
      ["next: give it back, or run", "    \"bsc jobs cancel 3f2a\" now"]
    ),
    ("  watch      bsc serve --open 16323a4c", 30, ["  watch      bsc serve --open 16323a4c"]),
    (
      "cancel it: bsc jobs cancel 3f2a, or resume", 26,
      ["cancel it:", "    bsc jobs cancel 3f2a,", "    or resume"]
    ),
    (
      "then run BSC_BACKEND=mux bsc resume ab12cd34, now", 34,
      ["then run", "    BSC_BACKEND=mux bsc resume ab12cd34,", "    now"]
    ),
    (
      "next: \"bsc share \"a b.mp4\" --force\" does", 30,
      ["next:", "    \"bsc share \"a b.mp4\" --force\"", "    does"]
    ),
    ("copy it: ffmpeg -i IN -c copy OUT.mp4", 32, ["copy it:", "    ffmpeg -i IN -c copy OUT.mp4"]),
    ("one two\r\nthree four", 9, ["one two", "three", "four"]),
    ("this is what bsc says of it here", 18, ["this is what bsc", "says of it here"]),
    ("      because it is long enough", 26, ["      because it is long", "          enough"]),
    ("one\ntwo three four", 9, ["one", "two three", "four"]),
    ("a バレーボール バレー", 16, ["a バレーボール", "バレー"]),
    ("/a/very/long/path/that/fits/nowhere.mp4", 20, ["/a/very/long/path/that/fits/nowhere.mp4"]),
    (
      "a \"quotation that is longer than any line\" b", 20,
      ["a \"quotation that is", "    longer than any", "    line\" b"]
    ),
  ]) func wrappedLinesAreIndented(text: String, columns: Int, lines: [String]) {
    #expect(
      StyledText(text).wrapped(columns: columns).plain.split(whereSeparator: \.isNewline).map(String.init) == lines)
  }

  /// A path is not wrapped at its spaces, also if it starts with a combining mark.
  @Test func pathsAreNotWrapped() {
    let path = "/home/me/my season  2026/e\u{301}chauffement 1.mp4"
    let text: StyledText = "\("✓", .good) \(whole: path, .strong), 1.2 MB of 3.4 MB"
    #expect(text.wrapped(columns: 30).plain.split(separator: "\n") == ["✓ \(path),", "    1.2 MB of 3.4 MB"])
    let marked: StyledText = "error: \("\u{301}x.mp4", .strong) is gone, and its path is not in the log"
    #expect(
      marked.wrapped(columns: 24).plain.split(separator: "\n")
        == ["error: \u{301}x.mp4 is gone,", "    and its path is not", "    in the log"])
  }

  /// Wrapping keeps all words and colors, and lines with spaces fit.
  @Test func wrappingKeepsContent() {
    var random = SeededGenerator(seed: 20_261_123)
    let pieces = ["a", "12", "\"bsc x\"", "\"", "  ", "バレー", "e\u{301}", "⚡", "long-word-of-a-path.mp4", "🇩🇪", "\n"]
    for _ in 0..<500 {
      var text = StyledText("")
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        text += StyledText(piece, Bool.random(using: &random) ? .good : nil) + " "
      }
      let columns = Int.random(in: 10...60, using: &random)
      let wrapped = text.wrapped(columns: columns)
      func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
      #expect(words(wrapped.plain) == words(text.plain))
      let colored = wrapped.rendered(isColored: true).replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(colored == wrapped.rendered(isColored: false))
      for line in wrapped.plain.split(separator: "\n") where words(String(line)).count > 1 {
        let end = line.reversed().drop { $0 == " " }.count
        let isBreakable = !line.contains { $0.isNumber || $0 == "\"" }
        #expect(!isBreakable || TextColumns.count(line.prefix(end)) <= columns, "\(line)")
      }
    }
  }

  @Test(arguments: [("⚡", 2), ("⛔", 2), ("✨", 2), ("✓", 1), ("🏐", 2), ("🇩🇪", 2), ("❤️", 2), ("한", 2), ("é", 1), ("…", 1)])
  func emojiHaveTwoColumns(text: String, columns: Int) { #expect(TextColumns.count(text) == columns) }
}
