import ClipModel
import Foundation

/// A part of a caption, comment or bio.
public enum TextPart: Equatable, Sendable {
  /// Text without a link.
  case plain(String)
  /// A handle, as written, with the `@`. `username` is lowercase. Apps link only names of existing profiles.
  case mention(String, username: String)
  /// A hashtag, as written, with the `#`. `tag` is lowercase.
  case tag(String, tag: String)
  /// A web address with the scheme `http` or `https`, as written.
  case link(String)

  /// The part as written. The texts of all parts, joined, are the original text.
  public var text: String {
    switch self {
    case .plain(let text), .mention(let text, _), .tag(let text, _), .link(let text): text
    }
  }
}

/// Finds mentions, tags and links in texts that people write. The only place with these rules besides the PostgreSQL
/// function `mentioned_names`, which finds the same names.
///
/// Works on Unicode scalars in linear time. A tag is what `CaptionTags` finds.
public enum TextParser {
  /// Splits a text into parts. Adjacent plain parts are joined.
  public static func parts(of text: String) -> [TextPart] {
    var parts: [TextPart] = []
    // A regular expression is compiled when it's first used.
    let tagPattern = CaptionTags.pattern
    var plainStart = text.startIndex
    var index = text.startIndex
    var isAfterWord = false
    while index < text.endIndex {
      guard let (part, end) = part(of: text, at: index, isAfterWord: isAfterWord, tagPattern) else {
        isAfterWord = isWordScalar(text.unicodeScalars[index])
        index = text.unicodeScalars.index(after: index)
        continue
      }
      if plainStart < index { parts.append(.plain(String(text[plainStart..<index]))) }
      parts.append(part)
      (index, plainStart) = (end, end)
      isAfterWord = isWordScalar(text.unicodeScalars[text.unicodeScalars.index(before: end)])
    }
    if plainStart < text.endIndex { parts.append(.plain(String(text[plainStart...]))) }
    return parts
  }

  /// The mentioned handles in lowercase, in order and without duplicates. Handles in web addresses count, too.
  public static func mentions(in text: String) -> [String] {
    var names: [String] = []
    var known: Set<String> = []
    var previous: Unicode.Scalar?
    for (index, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
      if scalar == "@", previous.map(isWordScalar) != true,
        case (.mention(_, let name), _)? = mention(in: text, at: index),
        known.insert(name).inserted
      {
        names.append(name)
      }
      previous = scalar
    }
    return names
  }

  private static func part(
    of text: String, at start: String.Index, isAfterWord: Bool, _ tagPattern: Regex<(Substring, Substring)>
  ) -> (TextPart, String.Index)? {
    switch text.unicodeScalars[start] {
    case "@": isAfterWord ? nil : mention(in: text, at: start)
    case "#": tag(in: text, at: start, tagPattern)
    case "h", "H": isAfterWord ? nil : link(in: text, at: start)
    default: nil
    }
  }

  // MARK: Mentions

  /// A handle is 3 to 30 ASCII letters, digits, `_` and `.`, and no word continues after it. Dots at the end belong to
  /// the sentence.
  private static func mention(in text: String, at start: String.Index) -> (TextPart, String.Index)? {
    guard !isAfter("./@", start, text) else { return nil }
    let scalars = text.unicodeScalars
    let nameStart = scalars.index(after: start)
    let run = scalars[nameStart...].prefix(handleLengths.upperBound).prefix(while: isNameScalar)
    var end = run.endIndex
    // The longest name that no word follows. A shorter one ends before a dot.
    for _ in 0..<max(run.count - handleLengths.lowerBound + 1, 0) {
      if end == scalars.endIndex || !(isWordScalar(scalars[end]) || scalars[end] == "@") {
        var name = scalars[nameStart..<end]
        while name.last == "." { name.removeLast() }
        guard name.count >= handleLengths.lowerBound else { return nil }
        let username = String(name).lowercased()
        return (.mention(String(text[start..<name.endIndex]), username: username), name.endIndex)
      }
      end = scalars.index(before: end)
    }
    return nil
  }

  private static let handleLengths = 3...30

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == ".")
  }

  /// Letters, digits and `_` of any script.
  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
  }

  private static func isAfter(_ list: String, _ index: String.Index, _ text: String) -> Bool {
    guard index > text.startIndex else { return false }
    return list.unicodeScalars.contains(text.unicodeScalars[text.unicodeScalars.index(before: index)])
  }

  // MARK: Tags

  private static func tag(
    in text: String, at start: String.Index, _ pattern: Regex<(Substring, Substring)>
  ) -> (TextPart, String.Index)? {
    guard let match = text[start...].prefixMatch(of: pattern) else { return nil }
    let end = match.range.upperBound
    return (.tag(String(match.output.0), tag: match.output.1.lowercased()), end)
  }

  // MARK: Links

  /// An address ends before whitespace, quotes, brackets that it doesn't open, and invisible characters, which could
  /// hide its real end. Punctuation at the end belongs to the sentence.
  private static func link(in text: String, at start: String.Index) -> (TextPart, String.Index)? {
    let scalars = text.unicodeScalars
    let rest = scalars[start...]
    let schemes = ["https://", "http://"]
    guard
      let scheme = schemes.first(where: {
        rest.prefix($0.count).elementsEqual($0.unicodeScalars) { lowercase($0) == $1 }
      })
    else { return nil }
    var end = scalars.index(start, offsetBy: scheme.count)
    var openCount = 0
    var count = 0
    while end < scalars.endIndex, isLinkScalar(scalars[end]) {
      count += 1
      // Longer than any address that browsers and databases accept.
      guard count <= 2048 else { return nil }
      if scalars[end] == "(" { openCount += 1 }
      if scalars[end] == ")" {
        guard openCount > 0 else { break }
        openCount -= 1
      }
      end = scalars.index(after: end)
    }
    while end > start, ".,;:!?'*".unicodeScalars.contains(scalars[scalars.index(before: end)]) {
      end = scalars.index(before: end)
    }
    let address = String(text[start..<end])
    guard let host = URLComponents(string: address)?.host, !host.isEmpty else { return nil }
    return (.link(address), end)
  }

  private static func lowercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
  }

  private static func isLinkScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: !"<>\"`{}|\\^[]«»“”".unicodeScalars.contains(scalar)
    }
  }
}
