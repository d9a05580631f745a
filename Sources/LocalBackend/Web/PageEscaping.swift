import Mustache

/// Escapes text by code points. The library escapes character by character, and misses a quotation mark that is
/// followed by a combining mark.
package struct PageEscaping: MustacheContentType {
  private static let name = "PAGE"

  /// The text of a template whose values are escaped by this type.
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
      // Control characters, some of which some parsers treat as the end of the text.
      case "\0"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
