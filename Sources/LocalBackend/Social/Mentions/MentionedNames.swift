import ClipModel
import GRDB

/// Finds the @mentions in captions and comments. Texts are parsed only here; pages and apps link the names in the table
/// `mentions`.
enum MentionedNames {
  /// The SQL function `mentioned_names(text)`, which returns a JSON array.
  static let sqlFunction = DatabaseFunction("mentioned_names", argumentCount: 1, pure: true) { values in
    let names = find(in: String.fromDatabaseValue(values[0]) ?? "")
    return JSONValue(.array(names.map { JSONValue(.string($0), at: 0) }), at: 0).text
  }

  private static let maximumCount = 20
  private static let lengths = 3...30

  /// Returns the different usernames in lowercase, sorted. A name follows an @ that doesn't follow a letter, as in a mail
  /// address. Dots at the end belong to the sentence.
  static func find(in text: String) -> [String] {
    var names: Set<String> = []
    for match in matches(in: text) where names.count < maximumCount { names.insert(match.name) }
    return names.sorted()
  }

  /// Returns the mentions in the order of the text. A name's range includes the @.
  static func matches(in text: String) -> [(name: String, range: Range<String.Index>)] {
    var matches: [(name: String, range: Range<String.Index>)] = []
    let scalars = text.unicodeScalars
    var position = scalars.startIndex
    var previous: Unicode.Scalar?
    while position < scalars.endIndex {
      let scalar = scalars[position]
      let start = scalars.index(after: position)
      if scalar == "@", previous.map(mayPrecede) ?? true, let end = endOfName(in: scalars, from: start) {
        var name = scalars[start..<end]
        while name.last == "." { name.removeLast() }
        matches.append((String(name).lowercased(), position..<name.endIndex))
        position = end
        previous = scalars[scalars.index(before: end)]
      } else {
        position = start
        previous = scalar
      }
    }
    return matches
  }

  /// Returns the end of the longest name that begins at a position and isn't followed by a letter, digit, `_` or `@`.
  private static func endOfName(
    in scalars: String.UnicodeScalarView, from start: String.Index
  ) -> String.Index? {
    let candidates = scalars[start...].prefix(lengths.upperBound).prefix(while: isNameScalar)
    var end = candidates.endIndex
    for _ in 0..<max(candidates.count - lengths.lowerBound + 1, 0) {
      let next = end < scalars.endIndex ? scalars[end] : nil
      if next.map({ SearchWords.isLetterOrDigit($0) || $0 == "_" || $0 == "@" }) != true { return end }
      end = scalars.index(before: end)
    }
    return nil
  }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".": true
    default: false
    }
  }

  private static func mayPrecede(_ scalar: Unicode.Scalar) -> Bool {
    !(SearchWords.isLetterOrDigit(scalar) || ["_", ".", "@", "/"].contains(scalar))
  }
}
