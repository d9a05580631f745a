import ArgumentParser

/// Something that a command needs and nobody gave, out of what the parser says of it: `Missing expected argument '<files>
/// ...'`, `Missing value for '--caption <caption>'`.
struct MissingValue {
  /// `no file is named`.
  let why: String
  /// False where something was given that was taken for something else.
  let isNothing: Bool

  /// - Parameter arguments: of the command line.
  init?(_ message: String, _ arguments: [String]) {
    if let parts = message.firstMatch(of: /[Mm]issing expected argument '<([^>]*)>/) {
      let name = String(parts.1)
      isNothing = true
      why = Self.nouns[name] ?? "no \(name.hasSuffix("s") ? String(name.dropLast()) : name) is named"
    } else if let parts = message.firstMatch(of: /[Mm]issing value for '([^' ]*)/) {
      let place = arguments.firstIndex(of: String(parts.1))
      let next = place.flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
      // A number below zero was taken for a flag.
      if let next, next.wholeMatch(of: /-[0-9.:]+/) != nil {
        isNothing = false
        why = parts.1 == "--caption" ? "it begins like a flag: --caption=\(next)" : "\(parts.1) cannot be below zero"
      } else {
        isNothing = true
        why = "\(parts.1) needs a value"
      }
    } else {
      return nil
    }
  }

  /// What sounds better than the arguments' names.
  private static let nouns = [
    "paths": "no file or folder is named", "id": "no highlight is named", "ids": "no highlight is named",
    "key": "no setting is named", "value": "no value is given",
  ]

  /// The first of a command's examples, without what it says beside it.
  static func example(of command: any ParsableCommand.Type) -> String? {
    let lines = command.configuration.discussion.split(separator: "\n")
    guard let heading = lines.firstIndex(of: "EXAMPLES:"), let line = lines.dropFirst(heading + 1).first else {
      return nil
    }
    let example = line.drop { $0 == " " }
    let end = example.firstRange(of: "   ")?.lowerBound ?? example.endIndex
    return String(example[..<end])
  }
}
