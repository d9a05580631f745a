/// Reads JSON (RFC 8259, strict) into a tree that remembers positions, and says what is wrong and where.
///
/// Foundation's decoders stop at the first error and cannot tell `NaN` from other damage. A UTF-8 byte order mark is
/// accepted; trailing commas, comments and anything behind the value are not. It keeps its own stack, so that nesting
/// cannot exhaust the thread's.
package struct JSONReader {
  /// Values nested deeper are refused, as Foundation does.
  package static let depthLimit = 512

  /// What was read: the tree (`nil` after a problem that cannot be read over) and every problem, in text order.
  package struct Document: Sendable {
    package var root: JSONValue?
    package var problems: [JSONProblem]
  }

  /// Reads a whole text. Linear in its length; keeps about as much memory as the text's values need.
  package static func read(_ bytes: [UInt8]) -> Document {
    var reader = JSONReader(bytes: bytes)
    do throws(JSONProblem) {
      return Document(root: try reader.document(), problems: reader.problems)
    } catch {
      return Document(root: nil, problems: reader.problems + [error])
    }
  }

  /// Length of the byte order mark the text begins with: 3 or 0.
  static func byteOrderMark(in bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// An array or object that is still open.
  private struct Open {
    var start: Int
    var isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    var key = ""
    /// Filled only for large objects: looking through a few members is faster than hashing them.
    var knownKeys: Set<String> = []

    /// Adds the key whose value is read next, and tells whether the object already has it.
    mutating func begin(key: String) -> Bool {
      self.key = key
      if members.count < 16 { return members.contains { $0.key == key } }
      if knownKeys.isEmpty { knownKeys = Set(members.map(\.key)) }
      return !knownKeys.insert(key).inserted
    }

    mutating func add(_ value: JSONValue) {
      if isObject { members.append(JSONMember(key: key, value: value)) } else { elements.append(value) }
    }

    var value: JSONValue { JSONValue(isObject ? .object(members) : .array(elements), at: start) }
  }

  let bytes: [UInt8]
  var index: Int
  private var open: [Open] = []
  private var problems: [JSONProblem] = []

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    index = Self.byteOrderMark(in: bytes)
  }

  private mutating func document() throws(JSONProblem) -> JSONValue {
    let root = try value()
    skipBlanks()
    guard index == bytes.count else { throw problem("expected the end of the text, found \(found)") }
    return root
  }

  /// Reads values and closes containers until the outermost value is complete.
  private mutating func value() throws(JSONProblem) -> JSONValue {
    while true {
      guard var complete = try scalarOrOpening() else { continue }
      while true {
        guard !open.isEmpty else { return complete }
        open[open.count - 1].add(complete)
        guard let closed = try separatorOrClosing() else { break }
        complete = closed
      }
    }
  }

  /// A complete value (scalars and empty containers), or `nil` after opening a container whose first value is next.
  private mutating func scalarOrOpening() throws(JSONProblem) -> JSONValue? {
    skipBlanks()
    let start = index
    guard let byte = peek else { throw problem("expected a value, found \(found)") }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = byte == UInt8(ascii: "{")
      guard open.count < Self.depthLimit else {
        throw problem("nested deeper than \(Self.depthLimit) levels", kind: .tooDeep, at: start)
      }
      index += 1
      skipBlanks()
      if peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        index += 1
        return JSONValue(isObject ? .object([]) : .array([]), at: start)
      }
      open.append(Open(start: start, isObject: isObject))
      if isObject { try key() }
      return nil
    case UInt8(ascii: "\""):
      return JSONValue(.string(try string()), at: start)
    case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "I"):
      let literal = try notFiniteLiteral()
      problems.append(problem("\(literal) is not JSON", kind: .notFinite, at: start))
      return JSONValue(.notFinite(literal), at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(.number(JSONNumber(text: try number())), at: start)
    case UInt8(ascii: "t"):
      try literal("true")
      return JSONValue(.bool(true), at: start)
    case UInt8(ascii: "f"):
      try literal("false")
      return JSONValue(.bool(false), at: start)
    case UInt8(ascii: "n"):
      try literal("null")
      return JSONValue(.null, at: start)
    default:
      throw problem("expected a value, found \(found)")
    }
  }

  /// Behind a value: a comma (`nil`: the next value follows) or the end of the container, which is then complete.
  private mutating func separatorOrClosing() throws(JSONProblem) -> JSONValue? {
    skipBlanks()
    guard !open.isEmpty else { return nil }
    let isObject = open[open.count - 1].isObject
    switch peek {
    case UInt8(ascii: ","):
      index += 1
      if isObject {
        try key()
      } else {
        skipBlanks()
        if peek == UInt8(ascii: "]") { throw problem("expected a value after the comma, found \"]\"") }
      }
      return nil
    case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
      index += 1
      return open.removeLast().value
    default:
      throw problem("expected \",\" or \"\(isObject ? "}" : "]")\", found \(found)")
    }
  }

  private mutating func key() throws(JSONProblem) {
    skipBlanks()
    guard peek == UInt8(ascii: "\"") else { throw problem("expected a key in quotes, found \(found)") }
    let start = index
    let name = try string()
    if open[open.count - 1].begin(key: name) {
      problems.append(problem("the key is there twice; the first one counts", kind: .duplicateKey, at: start))
    }
    skipBlanks()
    guard peek == UInt8(ascii: ":") else { throw problem("expected \":\", found \(found)") }
    index += 1
  }

  /// Where the reader is in the tree.
  var path: String {
    open.reduce(into: "") { path, container in
      if !container.isObject {
        path += "[\(container.elements.count)]"
      } else {
        path += path.isEmpty ? container.key : ".\(container.key)"
      }
    }
  }
}
