import Testing

@testable import bsc

/// What a terminal gets: moving lines or plain ones, letters or blocks, colours or none.
@Suite struct TerminalStyleTests {
  @Test(
    arguments: [
      (ProgressStyle.auto, false, true, "xterm", ProgressMode.moving), (.auto, false, true, "dumb", .plain),
      (.auto, false, true, "", .plain), (.auto, false, true, nil, .plain), (.auto, false, false, "xterm", .plain),
      (.auto, true, true, "xterm", .none), (.plain, true, true, "xterm", .plain),
      (.bar, false, false, "xterm", .moving),
      (.json, true, false, nil, .json), (.none, false, true, "xterm", .none),
    ] as [(ProgressStyle, Bool, Bool, String?, ProgressMode)])
  func onlyTerminalsThatObeyGetMovingLines(
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
    ] as [([String: String], Bool)]) func barsAreOfLettersWhereTheLocaleHasNoOthers(
      environment: [String: String], isUnicode: Bool
    )
  {
    #expect(TerminalGlyphs(environment: environment) == (isUnicode ? .unicode : .ascii))
    let glyphs = TerminalGlyphs(environment: environment)
    let drawn = glyphs.bar(0.5, cells: 4) + glyphs.spinner.joined() + glyphs.ellipsis + glyphs.times
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
    ] as [(ColorChoice, Bool, [String: String], Bool)]) func coloursAreForThoseWhoWantThem(
      choice: ColorChoice, isTerminal: Bool, environment: [String: String], isOn: Bool
    )
  {
    #expect(choice.isOn(isTerminal: isTerminal, environment: environment) == isOn)
  }

  @Test(arguments: [
    (["share", "a.mp4"], ColorChoice.auto), (["share", "--color", "never"], .never),
    (["--color=always", "x"], .always),
    (["share", "--", "--color=always"], .auto), (["share", "--color", "pink"], .auto), (["share", "--color"], .auto),
  ]) func theCommandLineIsReadEvenIfItIsWrong(arguments: [String], choice: ColorChoice) {
    #expect(ColorChoice(arguments: arguments) == choice)
  }

  /// A name cannot bring colours, or anything else that a terminal obeys.
  @Test func namesBringNoColours() {
    let name = "evil\u{1B}[31m\u{9B}2J\r.mp4"
    let text: StyledText = "\("error:", .bad) cannot open \(name, .strong)\n"
    #expect(text.rendered(isColored: false) == "error: cannot open evil\u{FFFD}[31m\u{FFFD}2J\u{FFFD}.mp4\n")
    #expect(
      text.rendered(isColored: true)
        == "\u{1B}[1;31merror:\u{1B}[0m cannot open \u{1B}[1mevil\u{FFFD}[31m\u{FFFD}2J\u{FFFD}.mp4\u{1B}[0m\n")
  }

  /// Numbers stay beside what they count.
  @Test func longLinesBreakAtWords() {
    let text: StyledText = "\("6 done", .good) in 0.4 s; 7.6 MB became 7.6 MB: 19 kB saved (0 %)"
    #expect(text.wrapped(columns: 80, indent: 4) == text)
    #expect(
      text.wrapped(columns: 20, indent: 4).plain.split(separator: "\n")
        == ["6 done in 0.4 s;", "    7.6 MB became", "    7.6 MB: 19 kB", "    saved (0 %)"])
  }
}
