import Foundation

/// The status and headers of a response, which are parsed line by line as libcurl delivers them.
struct ResponseHead {
  private(set) var status = 0
  private(set) var headers: HTTPHeaders = [:]
  /// Whether the empty line after the last header of the final response (not 1xx) has been received.
  private(set) var isComplete = false

  mutating func append(line: String) {
    // Filter Unicode scalars, because CR LF is a single Character in Swift.
    let text = String(line.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }.map(Character.init))
    if text.hasPrefix("HTTP/") {
      // Interim responses (1xx) and a proxy's response to CONNECT precede the final response.
      let parts = text.split(separator: " ", maxSplits: 2)
      status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      headers = [:]
      isComplete = false
    } else if text.isEmpty {
      isComplete = status >= 200
    } else if let colon = text.firstIndex(of: ":") {
      // Whitespace around a field value isn't part of the value (RFC 9110, section 5.5).
      let value = text[text.index(after: colon)...].trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
      headers.add(name: String(text[..<colon]), value: value)
    }
  }
}
