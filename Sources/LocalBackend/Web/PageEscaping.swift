import Mustache

/// Escapes text code point by code point. The Mustache library escapes it character by character, and misses a
/// quotation mark that is followed by a combining mark.
package struct PageEscaping: MustacheContentType {
  private static let name = "PAGE"

  /// Returns the text of a template that uses this type to escape its values.
  package static func escapedTemplate(from template: [UInt8]) -> String {
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
      // Some parsers treat certain control characters as the end of the text.
      case "\0"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
