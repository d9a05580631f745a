/// How a terminal is told to show a picture.
enum TerminalProtocol: String, CaseIterable, Sendable {
  /// Kitty's graphics protocol: any PNG, all colours.
  case kitty
  /// iTerm2's inline files: any image file, all colours.
  case iterm2
  /// DEC's Sixel: 256 colours.
  case sixel
  /// Half blocks in two colours: every terminal with Unicode and colours.
  case blocks

  /// What the environment says about the terminal; `nil` when it says nothing, or when the same terminal exists with and
  /// without pictures (VTE, xterm, Windows Terminal, Visual Studio Code): then the terminal has to be asked.
  ///
  /// What a terminal says of itself in `TERM` counts before what may be inherited from a terminal around it.
  init?(environment: [String: String]) {
    if Self.isMultiplexed(environment) {
      self = .blocks
    } else if let told = Self.byTerm(environment["TERM"] ?? "") ?? Self.byProgram(environment["TERM_PROGRAM"] ?? "")
      ?? Self.byMark(environment)
    {
      self = told
    } else {
      return nil
    }
  }

  /// Nothing but text: there pictures are left out.
  static func isPlain(_ environment: [String: String]) -> Bool {
    ["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
  }

  /// Inside of tmux, screen or zellij. They keep the screen as cells of text and draw it anew whenever it is scrolled,
  /// split or attached again, on whatever terminal that is by then: pictures are dropped or left behind as litter, and
  /// the environment is that of the terminal in which the server was started. Half blocks are text and survive.
  private static func isMultiplexed(_ environment: [String: String]) -> Bool {
    let term = environment["TERM"] ?? ""
    return ["TMUX", "STY", "ZELLIJ"].contains { environment[$0]?.isEmpty == false }
      || term.hasPrefix("tmux") || term.hasPrefix("screen")
  }

  private static func byTerm(_ term: String) -> TerminalProtocol? {
    let known: [(prefix: String, TerminalProtocol)] = [
      ("xterm-kitty", .kitty), ("xterm-ghostty", .kitty), ("ghostty", .kitty), ("wezterm", .iterm2), ("foot", .sixel),
      ("contour", .sixel), ("mlterm", .sixel), ("yaft", .sixel), ("mintty", .iterm2), ("alacritty", .blocks),
      ("linux", .blocks),
    ]
    return known.first { term.hasPrefix($0.prefix) }?.1
  }

  private static func byProgram(_ program: String) -> TerminalProtocol? {
    switch program.lowercased() {
    case "kitty", "ghostty": .kitty
    case "iterm.app", "wezterm", "mintty": .iterm2
    case "contour": .sixel
    case "apple_terminal": .blocks
    default: nil
    }
  }

  /// Variables that terminals set for those that look for them; the last resort, because they are inherited.
  private static func byMark(_ environment: [String: String]) -> TerminalProtocol? {
    func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    if has("KITTY_WINDOW_ID") || has("GHOSTTY_RESOURCES_DIR") { return .kitty }
    // LC_ variables pass through ssh, unlike most.
    if environment["LC_TERMINAL"] == "iTerm2" || environment.keys.contains(where: { $0.hasPrefix("WEZTERM_") }) {
      return .iterm2
    }
    // Since 22.04.
    if let version = environment["KONSOLE_VERSION"].flatMap(Int.init) { return version >= 220_400 ? .sixel : .blocks }
    if environment["TERMINAL_NAME"] == "contour" || has("MLTERM") { return .sixel }
    return has("ALACRITTY_WINDOW_ID") ? .blocks : nil
  }
}
