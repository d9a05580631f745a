import ArgumentParser
import ShareEngine

extension ArgumentMistake {
  /// Returns why the arguments are invalid and how to fix them. The hint is `nil` if there is no advice.
  func describeMistake(in command: any ParsableCommand.Type, accepted: AcceptedArguments) -> (
    why: String, hint: String?
  ) {
    switch self {
    case .unknown(let typed):
      (
        "unknown option '\(typed)'",
        Self.findClosestOption(to: typed, among: accepted.longNames).map { "did you mean '\($0)'?" }
      )
    case .noValue(let option, let next?) where next.wholeMatch(of: /-[0-9.:]+/) != nil:
      (
        option == "--caption"
          ? "the caption looks like an option; write --caption=\(next)" : "\(option) cannot be negative", nil
      )
    case .noValue(let option, _): ("\(option) requires a value", Self.findExample(for: command))
    case .wrongValue(let option, let value, let allowed):
      ("\(option) cannot be \"\(value)\"", Self.makeAdvice(value, allowed))
    case .missing(let name): ("no \(Self.nouns[name] ?? name) was specified", Self.findExample(for: command))
    }
  }

  /// The nouns for argument names in error messages.
  private static let nouns = [
    "paths": "file or folder", "files": "file", "sources": "source", "jobs": "job", "id": "highlight",
    "ids": "highlight",
    "key": "setting",
  ]

  /// Returns the most similar option. This is stricter than the parser's suggestion, which can be harmful (`--mute` for
  /// `--out`).
  private static func findClosestOption(to typed: String, among names: [String]) -> String? {
    let typed = typed.hasPrefix("--") ? typed : "-\(typed)"
    guard typed.count > 3 else { return nil }
    if names.contains(typed) { return typed }
    let completed = names.filter { $0.hasPrefix(typed) }
    if completed.count == 1 { return completed[0] }
    // Short names resemble almost every word, so they allow fewer typos.
    let limit = max(1, (typed.count - 2) / 3)
    return names.map { (distance: SpellingSuggestion.distance(typed, $0), name: $0) }
      .filter { $0.distance <= limit }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  private static func makeAdvice(_ value: String, _ allowed: [String]) -> String {
    // Two-letter words resemble any short word, so they get no suggestion.
    let nearest = value.count > 2 ? SpellingSuggestion.nearestWord(to: value.lowercased(), among: allowed) : nil
    let list = joinAlternatives(allowed.map { "'\($0)'" })
    return (nearest.map { "did you mean '\($0)'? " } ?? "") + "choose \(list)"
  }

  /// Returns the command's first usage example, without its description.
  private static func findExample(for command: any ParsableCommand.Type) -> String? {
    let lines = command.configuration.discussion.split(separator: "\n")
    guard let heading = lines.firstIndex(of: "EXAMPLES:"), let line = lines.dropFirst(heading + 1).first else {
      return nil
    }
    let example = line.drop { $0 == " " }
    let end = example.firstRange(of: "   ")?.lowerBound ?? example.endIndex
    return "try this: \(example[..<end])"
  }
}
