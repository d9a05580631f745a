import ArgumentParser
import Foundation

/// Whether text for people is coloured: each stream by itself.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// `NO_COLOR` (no-color.org) goes before `CLICOLOR_FORCE` and `CLICOLOR` (bixense.com/clicolors), flags before all.
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

  /// Of this process's command line, which the parser may not have understood: its failures have colours, too.
  init(arguments: [String]) {
    let own = arguments.prefix { $0 != "--" }
    var choice = ColorChoice.auto
    for (argument, following) in zip(own, own.dropFirst() + [""]) {
      if argument == "--color" { choice = ColorChoice(rawValue: following) ?? choice }
      if argument.hasPrefix("--color=") { choice = ColorChoice(rawValue: String(argument.dropFirst(8))) ?? choice }
    }
    self = choice
  }
}
