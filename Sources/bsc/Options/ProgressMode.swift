/// How progress comes to people, once flags and surroundings are known.
enum ProgressMode: Equatable, Sendable {
  /// Lines that are drawn again and again.
  case moving
  /// Lines that stay, and no control characters.
  case plain
  case json
  case none

  /// What was asked for counts; `auto` moves only what can be moved.
  init(_ style: ProgressStyle, isQuiet: Bool, isTerminal: Bool, environment: [String: String]) {
    self =
      switch style {
      case .auto: isQuiet ? .none : isTerminal && !Self.isDumb(environment) ? .moving : .plain
      case .bar: .moving
      case .plain: .plain
      case .json: .json
      case .none: .none
      }
  }

  /// Whether a command line asks for events on stderr; the parser may not have understood it.
  static func isJSON(_ arguments: [String]) -> Bool {
    let own = arguments.prefix { $0 != "--" }
    return own.contains("--progress=json") || zip(own, own.dropFirst()).contains { $0 == ("--progress", "json") }
  }

  /// A terminal that obeys nothing, as that of an editor, or that says nothing of itself.
  static func isDumb(_ environment: [String: String]) -> Bool {
    let name = environment["TERM"] ?? ""
    return name.isEmpty || name == "dumb"
  }
}
