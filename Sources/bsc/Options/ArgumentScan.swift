import ArgumentParser
import Foundation

/// The arguments that a command accepts, as listed in the parser's machine-readable help (`--experimental-dump-help`).
struct AcceptedArguments {
  struct Argument: Decodable {
    enum ArgumentKind: String, Decodable { case positional, option, flag }

    struct ArgumentName: Decodable {
      var kind: String
      var name: String

      /// The name with its dashes, for example `--caption` or `-j`.
      var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: ArgumentKind
    var isOptional: Bool
    /// Whether the help lists the argument.
    var shouldDisplay: Bool
    var names: [ArgumentName]?
    var valueName: String?
    /// The allowed values; `nil` if the argument accepts any value.
    var allValues: [String]?
  }

  private struct HelpDescription: Decodable {
    struct CommandHelp: Decodable { var arguments: [Argument]? }
    var command: CommandHelp
  }

  let all: [Argument]

  init(of command: any ParsableCommand.Type) {
    let description = try? JSONDecoder().decode(HelpDescription.self, from: Data(command._dumpHelp().utf8))
    all = description?.command.arguments ?? []
  }

  /// Returns the argument with this name; `nil` if the command doesn't accept it.
  /// - Parameter name: the argument's name, including its dashes.
  func findArgument(named name: String) -> Argument? { all.first { $0.names?.contains { $0.typed == name } == true } }

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
  /// The options, then the positional arguments (`<name>`), with their values.
  private(set) var values: [(option: String, value: String)] = []
  /// The first mistake found; `nil` if the command's own validation rejects the arguments.
  private(set) var mistake: ArgumentMistake?

  /// - Parameter arguments: the arguments after the command's name.
  init(_ arguments: [String], accepted: AcceptedArguments) {
    let positionals = accepted.all.filter { $0.kind == .positional }
    var positionalValues: [(option: String, value: String)] = []
    var (rest, positionalCount) = (arguments[...], 0)
    while let token = rest.popFirst() {
      guard token != "--" else {
        positionalCount += rest.count
        break
      }
      guard token.hasPrefix("-"), token.count > 1 else {
        if positionalCount < positionals.count {
          let argument = positionals[positionalCount]
          let name = "<\(argument.valueName ?? "argument")>"
          positionalValues.append((name, token))
          checkValue(token, of: argument, name)
        }
        positionalCount += 1
        continue
      }
      let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      // In a group of short options, such as `-qj`, only the last one can have a value.
      let isGroup =
        !token.hasPrefix("--") && parts[0].dropFirst().allSatisfy { accepted.findArgument(named: "-\($0)") != nil }
      let name = isGroup ? "-\(parts[0].suffix(1))" : parts[0]
      guard let argument = accepted.findArgument(named: name) else {
        recordMistake(.unknown(name))
        continue
      }
      guard argument.kind == .option else { continue }
      let value = parts.count > 1 ? parts[1] : rest.first
      guard let value, parts.count > 1 || !value.hasPrefix("-") || value == "-" else {
        recordMistake(.noValue(option: name, next: value))
        continue
      }
      if parts.count == 1 { rest.removeFirst() }
      values.append((name, value))
      checkValue(value, of: argument, name)
    }
    values += positionalValues
    let required = positionals.filter { !$0.isOptional }
    if positionalCount < required.count { recordMistake(.missing(required[positionalCount].valueName ?? "argument")) }
  }

  private mutating func checkValue(_ value: String, of argument: AcceptedArguments.Argument, _ name: String) {
    if let allowed = argument.allValues, !allowed.contains(value) {
      recordMistake(.wrongValue(option: name, value: value, allowed: allowed))
    }
  }

  private mutating func recordMistake(_ found: ArgumentMistake) { mistake = mistake ?? found }
}
