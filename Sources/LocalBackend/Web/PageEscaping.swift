import Mustache

/// Escapes by code points: the library's own way goes by characters, and lets a quotation mark through that a combining
/// mark follows.
package struct PageEscaping: MustacheContentType {
  private static let name = "PAGE"

  /// The text of a template, which is escaped like this.
  package static func applied(to template: [UInt8]) -> String {
    MustacheContentTypes.register(PageEscaping(), named: name)
    return "{{% CONTENT_TYPE: \(name)}}" + String(decoding: template, as: UTF8.self)
  }

  package func escapeText(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // They would end the text for some readers, and mean nothing.
      case "\0"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
