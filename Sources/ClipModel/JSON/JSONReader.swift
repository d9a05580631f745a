/// Reads strict JSON (RFC 8259) into a tree and reports every problem with its position and JSON path.
///
/// Foundation's decoders stop at the first error and report neither `NaN` nor the JSON path. The reader accepts a UTF-8
/// byte order mark, but no trailing commas, comments or data after the root value.
package struct JSONReader {
  /// The maximum nesting depth, as in Foundation.
  package static let depthLimit = 512

  /// The result of reading a JSON document.
  package struct Document: Sendable {
    /// The root value, or `nil` if a problem stopped the reader.
    package var root: JSONValue?
    /// All problems, in document order.
    package var problems: [JSONProblem]
  }

  /// Reads a complete JSON document in linear time.
  package static func read(_ bytes: [UInt8]) -> Document {
    var reader = JSONReader(bytes: bytes, index: byteOrderMark(in: bytes))
    do throws(JSONProblem) {
      let root = try reader.readValue()
      reader.skipWhitespace()
      if reader.index < bytes.count {
        throw reader.makeProblem("expected the end of the document, found \(reader.found)")
      }
      return Document(root: root, problems: reader.problems)
    } catch {
      return Document(root: nil, problems: reader.problems + [error])
    }
  }

  /// The length of the byte order mark in bytes: 3 if there is one, otherwise 0.
  private static func byteOrderMark(in bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// Formats a byte offset as `line 2, column 13`. Columns count Unicode scalars, as editors do.
  package static func position(of offset: Int, in bytes: [UInt8]) -> String {
    let text = bytes[byteOrderMark(in: bytes)..<max(byteOrderMark(in: bytes), min(offset, bytes.count))]
    let line = text.suffix(from: text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.startIndex)
    // UTF-8 continuation bytes (10xxxxxx) don't start a scalar.
    let column = 1 + line.count { $0 & 0xC0 != 0x80 }
    return "line \(1 + text.count { $0 == UInt8(ascii: "\n") }), column \(column)"
  }

  private enum PathStep {
    case key(String)
    case index(Int)
  }

  private let bytes: [UInt8]
  private var index: Int
  /// The path to the current value, with one step for each open array or object.
  private var path: [PathStep] = []
  private var problems: [JSONProblem] = []

  private init(bytes: [UInt8], index: Int) {
    self.bytes = bytes
    self.index = index
  }

  // MARK: Values

  private mutating func readValue() throws(JSONProblem) -> JSONValue {
    skipWhitespace()
    let start = index
    switch peek {
    case "{"?: return JSONValue(.object(try readObject()), at: start)
    case "["?: return JSONValue(.array(try readArray()), at: start)
    case "\""?: return JSONValue(.string(try readString()), at: start)
    case ("0"..."9")?: return JSONValue(.number(try readNumber()), at: start)
    case "-"? where !bytes[(index + 1)...].starts(with: "I".utf8):
      return JSONValue(.number(try readNumber()), at: start)
    default:
      guard let literal = Self.literals.first(where: { $0.text.unicodeScalars.first == peek }) else {
        throw makeProblem("expected a value, found \(found)")
      }
      for scalar in literal.text.unicodeScalars where !skip(scalar) {
        throw makeProblem("expected \(literal.text), found \(found)")
      }
      if case .notFinite(let text) = literal.kind {
        problems.append(makeProblem("\(text) is not valid JSON", kind: .notFinite, at: start))
      }
      return JSONValue(literal.kind, at: start)
    }
  }

  private static let literals: [(text: String, kind: JSONValue.Kind)] = [
    ("true", .bool(true)), ("false", .bool(false)), ("null", .null), ("NaN", .notFinite("NaN")),
    ("Infinity", .notFinite("Infinity")), ("-Infinity", .notFinite("-Infinity")),
  ]

  private mutating func readArray() throws(JSONProblem) -> [JSONValue] {
    var elements: [JSONValue] = []
    try readElements("]") { reader throws(JSONProblem) in
      reader.path[reader.path.count - 1] = .index(elements.count)
      elements.append(try reader.readValue())
    }
    return elements
  }

  private mutating func readObject() throws(JSONProblem) -> [JSONMember] {
    var members: [JSONMember] = []
    var keys: Set<String> = []
    try readElements("}") { reader throws(JSONProblem) in
      let start = reader.index
      guard reader.peek == "\"" else { throw reader.makeProblem("expected a quoted key, found \(reader.found)") }
      let key = try reader.readString()
      reader.path[reader.path.count - 1] = .key(key)
      if !keys.insert(key).inserted {
        reader.problems.append(
          reader.makeProblem("duplicate key; the first value is used", kind: .duplicateKey, at: start))
      }
      reader.skipWhitespace()
      guard reader.skip(":") else { throw reader.makeProblem("expected \":\", found \(reader.found)") }
      members.append(JSONMember(key: key, value: try reader.readValue()))
    }
    return members
  }

  /// Reads the elements of an array or the members of an object, including brackets and commas.
  private mutating func readElements(
    _ end: Unicode.Scalar, _ readItem: (inout JSONReader) throws(JSONProblem) -> Void
  ) throws(JSONProblem) {
    guard path.count < Self.depthLimit else {
      throw makeProblem("nested deeper than \(Self.depthLimit) levels", kind: .tooDeep)
    }
    index += 1
    skipWhitespace()
    if skip(end) { return }
    path.append(.key(""))
    repeat {
      skipWhitespace()
      try readItem(&self)
      skipWhitespace()
    } while skip(",")
    guard skip(end) else { throw makeProblem("expected \",\" or \"\(end)\", found \(found)") }
    path.removeLast()
  }

  // MARK: Numbers and strings

  /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  private mutating func readNumber() throws(JSONProblem) -> JSONNumber {
    let start = index
    skip("-")
    if skip("0") {
      if isDigit { throw makeProblem("the number has a leading zero") }
    } else {
      try skipDigits()
    }
    if skip(".") { try skipDigits() }
    if skip("e") || skip("E") {
      if !skip("+") { skip("-") }
      try skipDigits()
    }
    return JSONNumber(text: String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func skipDigits() throws(JSONProblem) {
    guard isDigit else { throw makeProblem("expected a digit, found \(found)") }
    while isDigit { index += 1 }
  }

  private mutating func readString() throws(JSONProblem) -> String {
    let start = index
    index += 1
    var text: [UInt8] = []
    while let scalar = peek {
      switch scalar {
      case "\"":
        index += 1
        guard let text = String(validating: text, as: UTF8.self) else {
          throw makeProblem("the string is not valid UTF-8", at: start)
        }
        return text
      case "\\": text += try readEscape().utf8
      case "\0"..<" ": throw makeProblem("control characters in strings must be escaped")
      default:
        text.append(bytes[index])
        index += 1
      }
    }
    throw makeProblem("the string is not terminated", at: start)
  }

  private static let escapes: [Unicode.Scalar: String] = [
    "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
  ]

  private mutating func readEscape() throws(JSONProblem) -> String {
    let start = index
    index += 1
    if let text = peek.flatMap({ Self.escapes[$0] }) {
      index += 1
      return text
    }
    var units: [UInt16] = []
    repeat {
      guard skip("u") else { throw makeProblem("expected an escape sequence, found \(found)") }
      units.append(try readCodeUnit())
    } while units.count == 1 && UTF16.isLeadSurrogate(units[0]) && skip("\\")
    guard let text = String(validating: units, as: UTF16.self) else {
      throw makeProblem("unpaired surrogate", at: start)
    }
    return text
  }

  private mutating func readCodeUnit() throws(JSONProblem) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character($0).hexDigitValue }) else {
        throw makeProblem("expected a hexadecimal digit, found \(found)")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }

  // MARK: Bytes

  /// The next byte as a Unicode scalar, or `nil` at the end.
  private var peek: Unicode.Scalar? { index < bytes.count ? Unicode.Scalar(bytes[index]) : nil }

  private var isDigit: Bool { peek.map { ("0"..."9").contains($0) } ?? false }

  /// A description of the next byte for error messages.
  private var found: String {
    peek.map { (" "..<"\u{7F}").contains($0) ? "\"\($0)\"" : "byte \($0.value)" } ?? "the end of the document"
  }

  @discardableResult
  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  private mutating func skipWhitespace() {
    while let scalar = peek, scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" { index += 1 }
  }

  /// Creates a problem at the given offset or the current position. A syntax error at the end of the document becomes
  /// `truncated`.
  private func makeProblem(_ message: String, kind: JSONProblem.Kind = .syntax, at offset: Int? = nil) -> JSONProblem {
    let path = path.reduce(into: "") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += text.isEmpty ? key : key.isEmpty ? "" : ".\(key)"
      }
    }
    return JSONProblem(
      kind: kind == .syntax && index >= bytes.count ? .truncated : kind, message: message, offset: offset ?? index,
      path: path)
  }
}
