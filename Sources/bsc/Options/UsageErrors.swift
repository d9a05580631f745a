import ArgumentParser
import ClipModel
import Foundation
import ShareEngine

/// Explains what's wrong with a command line, in the same format as all other errors.
enum UsageErrors {
  /// - Parameters:
  ///   - arguments: the command-line arguments without the program's name.
  ///   - error: the error that parsing threw.
  static func explain(_ arguments: [String], _ error: any Error) -> Explanation {
    if let unknown = detectUnknownCommand(arguments) { return unknown }
    let (path, rest) = resolveCommand(arguments)
    if let file = arguments.first(where: { $0.hasPrefix("-") && FileManager.default.fileExists(atPath: $0) }) {
      return Explanation(.dashedFile, ["command": path.text, "file": file])
    }
    let (why, hint) = explainReason(rest, of: path.command.configuration.defaultSubcommand ?? path.command, error)
    var facts = ["command": path.text, "reason": why]
    facts["hint"] = hint.map { $0.hasSuffix("?") ? $0 : $0 + ";" }
    return Explanation(.wrongArguments, facts)
  }

  private static func explainReason(
    _ arguments: [String], of command: any ParsableCommand.Type, _ error: any Error
  ) -> (why: String, hint: String?) {
    let accepted = AcceptedArguments(of: command)
    let scan = ArgumentScan(arguments, accepted: accepted)
    if let fault = findError(ArgumentFault.self, in: error) { return fault.describeFault(in: scan) }
    if let failure = findError(ValidationError.self, in: error) { return (makePhrase(failure.message), nil) }
    return scan.mistake?.describeMistake(in: command, accepted: accepted) ?? (makePhrase(BSC.message(for: error)), nil)
  }

  /// Finds one of bsc's errors inside a parser error. The parser wraps errors from `transform` closures and
  /// `validate()` in internal types, so they are accessible only through reflection.
  private static func findError<Failure: Error>(_ type: Failure.Type, in error: Any) -> Failure? {
    (error as? Failure) ?? Mirror(reflecting: error).children.lazy.compactMap { findError(type, in: $0.value) }.first
  }

  /// Returns the error for an unknown command; `nil` if the arguments start with a known command.
  static func detectUnknownCommand(_ arguments: [String]) -> Explanation? {
    let (path, rest) = resolveCommand(arguments)
    guard let wrong = rest.first, !wrong.hasPrefix("-"), !path.subcommands.isEmpty else { return nil }
    let isFile = path.names.count == 1 && FileManager.default.fileExists(atPath: wrong)
    let word = wrong.lowercased()
    // Other tools have these commands at the top level, so users may type `bsc list`.
    let nested = path.subcommands.flatMap { group in
      group.configuration.subcommands.filter { commandName($0) == word }.map {
        "\(commandName(group)) \(commandName($0))"
      }
    }
    let nearest = SpellingSuggestion.nearestWord(to: word, among: path.subcommands.map(commandName)).map { [$0] } ?? []
    let meant =
      isFile ? ["share \(wrong)"] : word == "version" ? ["--version"] : nested.isEmpty ? nearest : nested.sorted()
    var facts = ["command": "\(path.text) \(wrong)", "parent": path.text]
    if !meant.isEmpty {
      facts["nearest"] = meant.prefix(3).map { "\"\(path.text) \($0)\"" }.joined(separator: " or ")
    }
    return Explanation(.unknownCommand, facts)
  }

  /// A command and its full name, such as `bsc jobs list`.
  private struct CommandPath {
    var names = ["bsc"]
    var command: any ParsableCommand.Type = BSC.self

    var text: String { names.joined(separator: " ") }

    var subcommands: [any ParsableCommand.Type] {
      let configuration = command.configuration
      return configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    }
  }

  /// Finds the command that the first arguments name, and returns the remaining arguments.
  private static func resolveCommand(_ arguments: [String]) -> (path: CommandPath, rest: [String]) {
    var path = CommandPath()
    var rest = arguments[...]
    if rest.first == "help" { rest = rest.dropFirst() }
    while let next = rest.first, let command = path.subcommands.first(where: { commandName($0) == next }) {
      path.names.append(next)
      path.command = command
      rest = rest.dropFirst()
    }
    return (path, Array(rest))
  }

  /// Returns the command's name on the command line.
  static func commandName(_ command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? command._commandName
  }

  /// Turns a message into part of a sentence: removes the period at the end, and lowercases the first letter except in
  /// acronyms.
  private static func makePhrase(_ message: String) -> String {
    let text = message.hasSuffix(".") ? String(message.dropLast()) : message
    guard let first = text.first, first.isUppercase, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}

/// Joins the items with commas and a conjunction: `a`, `a or b`, `a, b or c`.
func joinAlternatives(_ items: [String], _ word: String = "or") -> String {
  guard let last = items.last, items.count > 1 else { return items.first ?? "" }
  return "\(items.dropLast().joined(separator: ", ")) \(word) \(last)"
}
