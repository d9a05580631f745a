import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

/// What is wrong with a command line, in the form of all other errors.
enum UsageErrors {
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - message: of a command's `ValidationError`, or the parser's own.
  static func explanation(_ arguments: [String], message: String) -> Explanation {
    if let unknown = unknownCommand(arguments) { return unknown }
    let (place, rest) = walk(arguments)
    let command = place.names.joined(separator: " ")
    if let file = arguments.first(where: { $0.hasPrefix("-") && FileManager.default.fileExists(atPath: $0) }) {
      return Explanation(.dashedFile, ["command": command, "file": file])
    }
    let (why, hint) = reason(rest, of: place.command.configuration.defaultSubcommand ?? place.command, message)
    var facts = ["command": command, "reason": why]
    facts["hint"] = hint.map { $0.hasSuffix("?") ? $0 : $0 + ";" }
    return Explanation(.wrongArguments, facts)
  }

  private static func reason(
    _ arguments: [String], of command: any ParsableCommand.Type, _ message: String
  ) -> (why: String, hint: String?) {
    let accepted = AcceptedArguments(of: command)
    let scan = ArgumentScan(arguments, accepted: accepted)
    if let fault = ArgumentFault.read(from: message) { return fault.explained(by: scan) }
    // Some options accept values beside those that they list: `--image-format jpg`.
    if case .wrongValue(_, let value, _)? = scan.mistake, !message.contains(value) { return (plain(message), nil) }
    return scan.mistake?.explained(of: command, accepted: accepted) ?? (plain(message), nil)
  }

  /// `nil` when the arguments name a command, whatever stands behind it.
  static func unknownCommand(_ arguments: [String]) -> Explanation? {
    let (place, rest) = walk(arguments)
    guard let wrong = rest.first, !wrong.hasPrefix("-"), !place.subcommands.isEmpty else { return nil }
    let command = place.names.joined(separator: " ")
    let isFile = place.names.count == 1 && FileManager.default.fileExists(atPath: wrong)
    let word = wrong.lowercased()
    // What other tools have as a command of its own: bsc list.
    let groups = Dictionary(place.subcommands.map { (name($0), $0) }) { first, _ in first }.sorted { $0.key < $1.key }
    let inside = groups.flatMap { group in
      group.value.configuration.subcommands.filter { name($0) == word }.map { "\(group.key) \(name($0))" }
    }
    let nearest = SpellingSuggestion.nearest(to: word, among: place.subcommands.map(name)).map { [$0] } ?? []
    let meant = isFile ? ["share \(wrong)"] : word == "version" ? ["--version"] : inside.isEmpty ? nearest : inside
    var facts = ["command": "\(command) \(wrong)", "parent": command]
    if !meant.isEmpty {
      facts["nearest"] = meant.prefix(3).map { "\"\(command) \($0)\"" }.joined(separator: " or ")
    }
    return Explanation(.unknownCommand, facts)
  }

  private struct Place {
    var names = ["bsc"]
    var command: any ParsableCommand.Type = BSC.self

    var subcommands: [any ParsableCommand.Type] {
      let configuration = command.configuration
      return configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    }
  }

  /// As far as the arguments are names of commands.
  private static func walk(_ arguments: [String]) -> (place: Place, rest: [String]) {
    var place = Place()
    var rest = arguments[...]
    if rest.first == "help" { rest = rest.dropFirst() }
    while let next = rest.first, let command = place.subcommands.first(where: { name($0) == next }) {
      place.names.append(next)
      place.command = command
      rest = rest.dropFirst()
    }
    return (place, Array(rest))
  }

  /// As it is typed.
  static func name(_ command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? command._commandName
  }

  /// The message of `ValidationError`, or of the parser, as a part of a sentence; names and flags keep their capitals.
  private static func plain(_ message: String) -> String {
    let text = message.hasSuffix(".") ? String(message.dropLast()) : message
    guard let first = text.first, first.isUppercase, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
