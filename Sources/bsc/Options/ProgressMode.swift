/// How progress is shown, based on the options and the environment.
enum ProgressMode: Equatable, Sendable {
  /// Progress lines that are redrawn in place.
  case moving
  /// Prints each update on its own line, without control characters.
  case plain
  case json
  case none

  init(_ style: ProgressStyle, isQuiet: Bool, isTerminal: Bool, environment: [String: String]) {
    self =
      switch style {
      case .auto: isQuiet ? .none : isTerminal && !Self.isDumbTerminal(environment) ? .moving : .plain
      case .bar: .moving
      case .plain: .plain
      case .json: .json
      case .none: .none
      }
  }

  /// Whether the command line requests JSON events on stderr, even if the parser rejects it.
  static func requestsJSON(_ arguments: [String]) -> Bool {
    ColorChoice.findValues(of: "--progress", in: arguments).contains("json")
  }

  /// Whether the terminal is unknown or doesn't support control sequences.
  static func isDumbTerminal(_ environment: [String: String]) -> Bool {
    ["", "dumb"].contains(environment["TERM"] ?? "")
  }
}
