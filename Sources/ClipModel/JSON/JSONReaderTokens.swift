/// The words of the grammar: strings, numbers, literals.
extension JSONReader {
  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  func peek(_ distance: Int) -> UInt8? { index + distance < bytes.count ? bytes[index + distance] : nil }

  /// What stands at the reader's place, for messages.
  var found: String {
    guard let byte = peek else { return "the end of the text" }
    return (0x20..<0x7F).contains(byte) ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte \(byte)"
  }

  /// A problem at the reader's place; `truncated` instead of `syntax` when that is the end of the text.
  func problem(_ message: String, kind: JSONProblem.Kind = .syntax, at offset: Int? = nil) -> JSONProblem {
    let atEnd = kind == .syntax && index >= bytes.count
    return JSONProblem(kind: atEnd ? .truncated : kind, message: message, offset: offset ?? index, path: path)
  }

  mutating func skipBlanks() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  mutating func literal(_ word: StaticString) throws(JSONProblem) {
    let text = "\(word)"
    for byte in text.utf8 {
      guard peek == byte else { throw problem("expected \(text), found \(found)") }
      index += 1
    }
  }

  mutating func notFiniteLiteral() throws(JSONProblem) -> String {
    let sign = peek == UInt8(ascii: "-") ? "-" : ""
    index += sign.utf8.count
    if peek == UInt8(ascii: "N") {
      try literal("NaN")
      return sign + "NaN"
    }
    try literal("Infinity")
    return sign + "Infinity"
  }

  /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  mutating func number() throws(JSONProblem) -> String {
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") {
      index += 1
      if isDigit(peek) { throw problem("a number has a leading zero") }
    } else {
      try digits()
    }
    if peek == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() throws(JSONProblem) {
    guard isDigit(peek) else { throw problem("expected a digit, found \(found)") }
    while isDigit(peek) { index += 1 }
  }

  private func isDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  mutating func string() throws(JSONProblem) -> String {
    let opening = index
    index += 1
    var start = index
    var isASCII = true
    var unescaped: [UInt8]?
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        let tail = bytes[start..<index - 1]
        if unescaped == nil, isASCII { return String(decoding: tail, as: UTF8.self) }
        guard let text = String(validating: (unescaped ?? []) + tail, as: UTF8.self) else {
          throw problem("text that is not UTF-8", at: opening)
        }
        return text
      case UInt8(ascii: "\\"):
        var text = unescaped ?? []
        text += bytes[start..<index]
        text += Array(String(try escape()).utf8)
        unescaped = text
        start = index
      case 0..<0x20:
        throw problem("a control character inside text has to be escaped")
      default:
        if byte >= 0x80 { isASCII = false }
        index += 1
      }
    }
    throw problem("text that is not closed", at: opening)
  }

  private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
    index += 1
    guard let byte = peek else { throw problem("expected an escape, found \(found)") }
    let plain: Unicode.Scalar
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = Unicode.Scalar(byte)
    case UInt8(ascii: "b"): plain = "\u{8}"
    case UInt8(ascii: "f"): plain = "\u{C}"
    case UInt8(ascii: "n"): plain = "\n"
    case UInt8(ascii: "r"): plain = "\r"
    case UInt8(ascii: "t"): plain = "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw problem("expected an escape, found \(found)")
    }
    index += 1
    return plain
  }

  /// `uXXXX`, and a second `\uXXXX` when the first is the high half of a surrogate pair.
  private mutating func unicodeEscape() throws(JSONProblem) -> Unicode.Scalar {
    let start = index - 1
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, peek == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") else {
      throw problem("half of a surrogate pair", at: start)
    }
    index += 1
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw problem("half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONProblem) -> UInt32 {
    index += 1
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("expected a hexadecimal digit, found \(found)")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
