/// An XML 1.0 element.
struct XMLTag {
  static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  var name: String
  var attributes: [(name: String, value: String)]
  var children: [XMLTag]
  var content: String

  init(
    _ name: String, _ attributes: [(String, String)] = [], _ children: [XMLTag] = [], content: String = ""
  ) {
    self.name = name
    self.attributes = attributes.map { (name: $0.0, value: $0.1) }
    self.children = children
    self.content = content
  }

  /// Formats the element, with indented children.
  func formatted(indent: String = "") -> String {
    let tag = name + attributes.map { " \($0.name)=\"\(Self.escapeText($0.value, inAttribute: true))\"" }.joined()
    guard !children.isEmpty else {
      return indent + (content.isEmpty ? "<\(tag)/>" : "<\(tag)>\(Self.escapeText(content))</\(name)>")
    }
    let lines = children.map { $0.formatted(indent: indent + "  ") }
    return "\(indent)<\(tag)>\n" + lines.joined(separator: "\n") + "\n\(indent)</\(name)>"
  }

  /// Escapes text. Characters that XML doesn't allow become U+FFFD. In attributes, line breaks and tabs are escaped
  /// because XML readers turn them into spaces.
  static func escapeText(_ text: String, inAttribute isAttribute: Bool = false) -> String {
    text.escapingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"" where isAttribute: "&quot;"
      case "\t" where isAttribute, "\n" where isAttribute: "&#\(scalar.value);"
      case "\r", "\u{7F}"..."\u{9F}": "&#\(scalar.value);"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: nil
      }
    }
  }
}
