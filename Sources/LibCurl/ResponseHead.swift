/// Status and headers of an answer, put together from the lines libcurl hands over one by one.
struct ResponseHead {
  private(set) var status = 0
  private(set) var headers = HTTPHeaders()
  /// The empty line after the last header was seen, and the status is a final one (not 1xx).
  private(set) var isComplete = false

  /// A new status line starts over: interim answers (100) and a proxy's answer to CONNECT come before the real one.
  mutating func take(line: String) {
    // CR LF is one Character in Swift; the scalars are looked at apart.
    let text = String(line.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }.map(Character.init))
    if text.hasPrefix("HTTP/") {
      let parts = text.split(separator: " ", maxSplits: 2)
      status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      headers.removeAll()
      isComplete = false
    } else if text.isEmpty {
      isComplete = status >= 200
    } else if let colon = text.firstIndex(of: ":") {
      // White space around a value is none of it (RFC 9110, 5.5).
      let blanks: Set<Character> = [" ", "\t"]
      var value = text[text.index(after: colon)...].drop(while: blanks.contains)
      while let last = value.last, blanks.contains(last) { value.removeLast() }
      headers.add(name: String(text[..<colon]), value: String(value))
    }
  }
}
