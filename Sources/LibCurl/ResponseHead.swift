import Foundation

/// The status and headers of a response, parsed from the lines that libcurl delivers one by one.
struct ResponseHead {
  private(set) var status = 0
  private(set) var headers: HTTPHeaders = [:]
  /// The empty line after the last header of a final response (not 1xx) was received.
  private(set) var isComplete = false

  mutating func append(line: String) {
    // CR LF is one Character in Swift, so the scalars are filtered.
    let text = String(line.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }.map(Character.init))
    if text.hasPrefix("HTTP/") {
      // Interim responses (100) and a proxy's response to CONNECT come before the final one.
      let parts = text.split(separator: " ", maxSplits: 2)
      status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      headers = [:]
      isComplete = false
    } else if text.isEmpty {
      isComplete = status >= 200
    } else if let colon = text.firstIndex(of: ":") {
      // White space around a value is not part of it (RFC 9110, 5.5).
      let value = text[text.index(after: colon)...].trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
      headers.add(name: String(text[..<colon]), value: value)
    }
  }
}
