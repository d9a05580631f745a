import ArgumentParser
import Foundation

/// When human-readable text is colored. The option applies to stdout and stderr separately.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// The option overrides `NO_COLOR` (no-color.org), which overrides `CLICOLOR_FORCE` and `CLICOLOR`
  /// (bixense.com/clicolors).
  func isOn(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false { return false }
      if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
      return isTerminal && environment["CLICOLOR"] != "0" && !ProgressMode.isDumb(environment)
    }
  }

  /// Reads the option from a command line without using the parser, because error messages about an invalid command
  /// line are colored too.
  init(arguments: [String]) {
    self = Self.values(of: "--color", in: arguments).compactMap(ColorChoice.init).last ?? .auto
  }

  /// The values of an option in a command line that the parser may have rejected.
  static func values(of option: String, in arguments: [String]) -> [String] {
    let arguments = arguments.prefix { $0 != "--" }
    return zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
      if argument == option { return next }
      return argument.hasPrefix("\(option)=") ? String(argument.dropFirst(option.count + 1)) : nil
    }
  }
}
