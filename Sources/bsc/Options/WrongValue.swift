import ShareEngine

/// A value that its option does not take, out of what the parser says of it:
/// `The value 'x' is invalid for '--kind <kind>'. Please provide one of 'poster' and 'sheet'.`
struct WrongValue {
  /// `--kind cannot be "x": it has no unit`.
  let why: String
  /// What would be right; `nil` when nothing says.
  let next: String?

  init?(_ message: String) {
    guard let parts = message.wholeMatch(of: /(?s)The value (.*) is invalid for '([^']*)'(.*)/) else { return nil }
    let value = String(parts.1).trimming("'").replacing("\n", with: "\u{FFFD}")
    let option = parts.2.split(separator: " ").first.map(String.init) ?? String(parts.2)
    let refused = "\(option) cannot be \"\(value)\""
    let rest = parts.3
    if let fault = rest.prefixMatch(of: /: ([^\n]*)\n/) {
      (why, next) = ("\(refused): \(fault.1)", String(rest[fault.range.upperBound...]))
      return
    }
    why = refused
    let words = Self.words(in: rest)
    guard !words.isEmpty else {
      next = nil
      return
    }
    // Two letters are near to any short word.
    let nearest = value.count > 2 ? Spelling.nearest(to: value.lowercased(), among: words) : nil
    let quoted = words.map { "'\($0)'" }
    let list =
      quoted.count > 1 ? quoted.dropLast().joined(separator: ", ") + " or " + quoted[quoted.count - 1] : quoted[0]
    next = (nearest.map { "did you mean '\($0)'? " } ?? "") + "give one of \(list)"
  }

  /// The words that the option takes; the parser lists many of them one a line.
  private static func words(in text: Substring) -> [String] {
    guard text.contains("one of") else { return [] }
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    return lines.isEmpty ? text.matches(of: /'([^']*)'/).map { String($0.1) } : lines
  }
}

extension String {
  /// Without this at both ends.
  fileprivate func trimming(_ mark: Character) -> String {
    first == mark && last == mark && count > 1 ? String(dropFirst().dropLast()) : self
  }
}
