import ArgumentParser
import ShareEngine

extension ArgumentMistake {
  /// The reason, and the advice; `nil` when there is none.
  func explained(of command: any ParsableCommand.Type, accepted: AcceptedArguments) -> (why: String, next: String?) {
    switch self {
    case .unknown(let typed):
      ("unknown option '\(typed)'", Self.meant(typed, accepted.longNames).map { "did you mean '\($0)'?" })
    case .noValue(let option, let next?) where next.wholeMatch(of: /-[0-9.:]+/) != nil:
      // A number below zero.
      (option == "--caption" ? "it begins like a flag: --caption=\(next)" : "\(option) cannot be below zero", nil)
    case .noValue(let option, _): ("\(option) needs a value", Self.example(of: command))
    case .wrongValue(let option, let value, let allowed):
      ("\(option) cannot be \"\(value)\"", Self.advice(value, allowed))
    case .missing(let name):
      (
        Self.nouns[name] ?? "no \(name.hasSuffix("s") ? String(name.dropLast()) : name) is named",
        Self.example(of: command)
      )
    }
  }

  /// What sounds better than the arguments' names.
  private static let nouns = [
    "paths": "no file or folder is named", "id": "no highlight is named", "ids": "no highlight is named",
    "key": "no setting is named", "value": "no value is given",
  ]

  /// The option that was meant. Nearer than the parser's own guess: following that can do harm (`--mute` for `--out`).
  private static func meant(_ typed: String, _ names: [String]) -> String? {
    let typed = typed.hasPrefix("--") ? typed : "-\(typed)"
    guard typed.count > 3 else { return nil }
    let completed = names.filter { $0.hasPrefix(typed) }
    // Few letters are near to anything.
    let letters = typed.count - 2
    let near = names.map { (distance: SpellingSuggestion.distance(typed, $0), name: $0) }
      .filter { $0.distance <= max(1, letters / 3) }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return names.contains(typed) ? typed : completed.count == 1 ? completed.first : near?.name
  }

  private static func advice(_ value: String, _ allowed: [String]) -> String {
    // Two letters are near to any short word.
    let nearest = value.count > 2 ? SpellingSuggestion.nearest(to: value.lowercased(), among: allowed) : nil
    let quoted = allowed.map { "'\($0)'" }
    let list =
      quoted.count > 1 ? quoted.dropLast().joined(separator: ", ") + " or " + quoted[quoted.count - 1] : quoted[0]
    return (nearest.map { "did you mean '\($0)'? " } ?? "") + "give one of \(list)"
  }

  /// The first of a command's examples, without what it says beside it.
  private static func example(of command: any ParsableCommand.Type) -> String? {
    let lines = command.configuration.discussion.split(separator: "\n")
    guard let heading = lines.firstIndex(of: "EXAMPLES:"), let line = lines.dropFirst(heading + 1).first else {
      return nil
    }
    let example = line.drop { $0 == " " }
    let end = example.firstRange(of: "   ")?.lowerBound ?? example.endIndex
    return "try this: \(example[..<end])"
  }
}
