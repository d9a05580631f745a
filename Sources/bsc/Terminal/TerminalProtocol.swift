/// The protocols for showing a picture in a terminal.
enum TerminalProtocol: String, CaseIterable, Sendable {
  /// Kitty's graphics protocol, which shows PNG files in all colors.
  case kitty
  /// iTerm2's inline images, which show image files of any format in all colors.
  case iterm2
  /// DEC's Sixel graphics, which have palettes of 256 colors.
  case sixel
  /// Half-block characters in two colors, for any terminal that supports Unicode and colors.
  case blocks

  /// Detects the protocol from environment variables. `nil` if they are inconclusive, or if only some versions of the
  /// terminal show pictures (VTE, xterm, Windows Terminal, Visual Studio Code). In that case, the terminal has to be
  /// queried.
  ///
  /// `TERM` has priority over variables that can be inherited from another terminal.
  init?(environment: [String: String]) {
    if Self.isMultiplexed(environment) {
      self = .blocks
    } else if let detected = Self.detectFromTerm(environment["TERM"] ?? "")
      ?? Self.detectFromProgram(environment["TERM_PROGRAM"] ?? "") ?? Self.detectFromEnvironment(environment)
    {
      self = detected
    } else {
      return nil
    }
  }

  /// Whether the terminal shows only plain text.
  static func isPlain(_ environment: [String: String]) -> Bool {
    ["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
  }

  /// Whether the program is running inside tmux, screen or zellij. These store the screen as text cells and redraw it
  /// when it is scrolled, split or attached again, possibly on another terminal: pictures get lost or leave artifacts,
  /// and the environment is that of the terminal in which the server was started. Half blocks are text, so they are
  /// preserved.
  private static func isMultiplexed(_ environment: [String: String]) -> Bool {
    let term = environment["TERM"] ?? ""
    return ["TMUX", "STY", "ZELLIJ"].contains { environment[$0]?.isEmpty == false }
      || term.hasPrefix("tmux") || term.hasPrefix("screen")
  }

  private static func detectFromTerm(_ term: String) -> TerminalProtocol? {
    let known: [(prefix: String, TerminalProtocol)] = [
      ("xterm-kitty", .kitty), ("xterm-ghostty", .kitty), ("ghostty", .kitty), ("wezterm", .iterm2), ("foot", .sixel),
      ("contour", .sixel), ("mlterm", .sixel), ("yaft", .sixel), ("mintty", .iterm2), ("alacritty", .blocks),
      ("linux", .blocks),
    ]
    return known.first { term.hasPrefix($0.prefix) }?.1
  }

  private static func detectFromProgram(_ program: String) -> TerminalProtocol? {
    switch program.lowercased() {
    case "kitty", "ghostty": .kitty
    case "iterm.app", "wezterm", "mintty": .iterm2
    case "contour": .sixel
    case "apple_terminal": .blocks
    default: nil
    }
  }

  /// Detects the protocol from variables that terminals set for this purpose. They are checked last, because child
  /// processes inherit them.
  private static func detectFromEnvironment(_ environment: [String: String]) -> TerminalProtocol? {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    if isSet("KITTY_WINDOW_ID") || isSet("GHOSTTY_RESOURCES_DIR") { return .kitty }
    // Unlike most variables, LC_ variables are forwarded by ssh.
    if environment["LC_TERMINAL"] == "iTerm2" || environment.keys.contains(where: { $0.hasPrefix("WEZTERM_") }) {
      return .iterm2
    }
    // Konsole has supported Sixel since version 22.04.
    if let version = environment["KONSOLE_VERSION"].flatMap(Int.init) { return version >= 220_400 ? .sixel : .blocks }
    if environment["TERMINAL_NAME"] == "contour" || isSet("MLTERM") { return .sixel }
    return isSet("ALACRITTY_WINDOW_ID") ? .blocks : nil
  }
}
