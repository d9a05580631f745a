import ArgumentParser
import Foundation

/// The arguments that a command accepts, as listed in the parser's machine-readable help (`--experimental-dump-help`).
struct AcceptedArguments {
  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      var kind: String
      var name: String

      /// The name with its dashes, for example `--caption` or `-j`.
      var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: Kind
    var isOptional: Bool
    /// Whether the help lists the argument.
    var shouldDisplay: Bool
    var names: [Name]?
    var valueName: String?
    /// The allowed values; `nil` if the argument accepts any value.
    var allValues: [String]?
  }

  private struct Description: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    var command: Command
  }

  let all: [Argument]

  init(of command: any ParsableCommand.Type) {
    let description = try? JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
    all = description?.command.arguments ?? []
  }

  /// Returns the argument with this name; `nil` if the command doesn't accept it.
  /// - Parameter name: the argument's name, including its dashes.
  func named(_ name: String) -> Argument? { all.first { $0.names?.contains { $0.typed == name } == true } }

  /// The long names of all visible options, including their dashes.
  var longNames: [String] {
    all.filter(\.shouldDisplay).flatMap { $0.names ?? [] }.map(\.typed).filter { $0.hasPrefix("--") }
  }
}

/// A mistake in a command's arguments.
enum ArgumentMistake: Equatable {
  /// An option that the command doesn't support, as the user typed it, without the value after `=`.
  case unknown(String)
  /// An option without its value. `next` is the following argument if it starts with a dash.
  case noValue(option: String, next: String?)
  case wrongValue(option: String, value: String, allowed: [String])
  /// A missing positional argument, identified by its name in the help.
  case missing(String)
}

/// Finds the mistake in a command line that the parser rejected. The parser's errors aren't public, and its messages
/// are meant for people, not for code.
struct ArgumentScan {
  /// The options with their values, in command-line order.
  private(set) var values: [(option: String, value: String)] = []
  /// The first mistake found; `nil` if the command's own validation rejects the arguments.
  private(set) var mistake: ArgumentMistake?

  /// - Parameter arguments: the arguments after the command's name.
  init(_ arguments: [String], accepted: AcceptedArguments) {
    var (rest, positionalCount) = (arguments[...], 0)
    while let token = rest.popFirst() {
      guard token != "--" else {
        positionalCount += rest.count
        break
      }
      guard token.hasPrefix("-"), token.count > 1 else {
        positionalCount += 1
        continue
      }
      let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      // In a group of short options, such as `-qj`, only the last one can have a value.
      let isGroup = !token.hasPrefix("--") && parts[0].dropFirst().allSatisfy { accepted.named("-\($0)") != nil }
      let name = isGroup ? "-\(parts[0].suffix(1))" : parts[0]
      guard let argument = accepted.named(name) else {
        record(.unknown(name))
        continue
      }
      guard argument.kind == .option else { continue }
      let value = parts.count > 1 ? parts[1] : rest.first
      guard let value, parts.count > 1 || !value.hasPrefix("-") || value == "-" else {
        record(.noValue(option: name, next: value))
        continue
      }
      if parts.count == 1 { rest.removeFirst() }
      values.append((name, value))
      if let allowed = argument.allValues, !allowed.contains(value) {
        record(.wrongValue(option: name, value: value, allowed: allowed))
      }
    }
    let required = accepted.all.filter { $0.kind == .positional && !$0.isOptional }
    if positionalCount < required.count { record(.missing(required[positionalCount].valueName ?? "argument")) }
  }

  private mutating func record(_ found: ArgumentMistake) { mistake = mistake ?? found }
}
