import ArgumentParser
import Foundation

/// The `--color` option, which controls when human-readable output is colored. `auto` applies to stdout and stderr
/// separately.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// Returns whether to use colors. The option overrides `NO_COLOR` (no-color.org), which overrides `CLICOLOR_FORCE`
  /// and `CLICOLOR` (bixense.com/clicolors).
  func isEnabled(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false { return false }
      if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
      return isTerminal && environment["CLICOLOR"] != "0" && !ProgressMode.isDumbTerminal(environment)
    }
  }

  /// Reads `--color` without the parser, because error messages about invalid command lines are colored, too.
  init(arguments: [String]) {
    self = Self.findValues(of: "--color", in: arguments).compactMap(ColorChoice.init).last ?? .auto
  }

  /// Returns an option's values in a command line that the parser may have rejected.
  static func findValues(of option: String, in arguments: [String]) -> [String] {
    let arguments = arguments.prefix { $0 != "--" }
    return zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
      if argument == option { return next }
      return argument.hasPrefix("\(option)=") ? String(argument.dropFirst(option.count + 1)) : nil
    }
  }
}
