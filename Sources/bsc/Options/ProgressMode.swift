/// The kind of progress output, from the options and the environment.
enum ProgressMode: Equatable, Sendable {
  /// Lines that are redrawn in place.
  case moving
  /// Lines that stay, without control characters.
  case plain
  case json
  case none

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

  /// Whether a command line, which the parser may have rejected, requests events on stderr.
  static func isJSON(_ arguments: [String]) -> Bool {
    ColorChoice.values(of: "--progress", in: arguments).contains("json")
  }

  /// Whether the terminal has no control sequences, or is unknown.
  static func isDumb(_ environment: [String: String]) -> Bool {
    ["", "dumb"].contains(environment["TERM"] ?? "")
  }
}
