/// A filter in a query, such as `author_id=eq.…` or `or=(caption.ilike.%a%,tags.cs.{a})`.
indirect enum RowFilter: Equatable, Sendable {
  case comparison(column: String, isNegated: Bool, Operation)
  case all([RowFilter], isNegated: Bool)
  case any([RowFilter], isNegated: Bool)

  enum Operation: Equatable, Sendable {
    case compare(Comparison, String)
    /// A pattern in which `%` and `*` match any text and `_` matches one character.
    case like(String, ignoresCase: Bool)
    case isOneOf([String])
    case isNull
    case isTrue
    case isFalse
    case contains([String])
    case isContained([String])
    case overlaps([String])
  }

  /// A comparison operator. The case names are PostgREST's operators, and the raw values are SQL operators.
  enum Comparison: String, CaseIterable, Sendable {
    case eq = "="
    case neq = "<>"
    case gt = ">"
    case gte = ">="
    case lt = "<"
    case lte = "<="
  }

  /// The maximum nesting depth of groups.
  fileprivate static let depthLimit = 8

  static func equals(_ column: String, _ value: String) -> RowFilter {
    .comparison(column: column, isNegated: false, .compare(.eq, value))
  }

  /// Parses a filter such as `column=not.eq.value`.
  static func parseParameter(_ name: String, _ value: String) throws(PostgRESTFailure) -> RowFilter {
    guard RowQuery.isIdentifier(name) else {
      throw .unreadable("the local backend does not support the parameter \(name.prefix(80))")
    }
    var parser = FilterParser(value, isInGroup: false)
    return try parser.parseComparison(of: name)
  }

  /// Parses a group of filters such as `or=(…)` or `not.and=(…)`.
  static func parseGroup(_ name: String, _ value: String) throws(PostgRESTFailure) -> RowFilter {
    guard value.hasPrefix("(") else {
      throw .unreadable("failed to parse logic tree", details: "\(name)= requires conditions in parentheses")
    }
    var parser = FilterParser("\(name)\(value)", isInGroup: true)
    let filter = try parser.parseTerm(depth: 0)
    try parser.input.requireEndOfInput()
    return filter
  }
}

private struct FilterParser {
  var input: QueryParser
  let isInGroup: Bool

  init(_ text: String, isInGroup: Bool) {
    input = QueryParser(rest: text[...], message: "failed to parse filter")
    self.isInGroup = isInGroup
  }

  mutating func parseTerm(depth: Int) throws(PostgRESTFailure) -> RowFilter {
    guard depth <= RowFilter.depthLimit else { throw .unreadable("the condition is nested too deeply") }
    let start = input.rest
    let isNegated = input.consumePrefix("not.")
    for (word, isAny) in [("and(", false), ("or(", true)] where input.consumePrefix(word) {
      var terms: [RowFilter] = []
      repeat { terms.append(try parseTerm(depth: depth + 1)) } while input.consumePrefix(",")
      guard input.consumePrefix(")") else { throw input.failure() }
      return isAny ? .any(terms, isNegated: isNegated) : .all(terms, isNegated: isNegated)
    }
    input.rest = start
    let column = input.rest.prefix { $0 != "." && $0 != "," && $0 != ")" }
    guard RowQuery.isIdentifier(column) else { throw input.failure() }
    input.rest = input.rest.dropFirst(column.count)
    guard input.consumePrefix(".") else { throw input.failure() }
    return try parseComparison(of: String(column))
  }

  mutating func parseComparison(of column: String) throws(PostgRESTFailure) -> RowFilter {
    let isNegated = input.consumePrefix("not.")
    let word = input.rest.prefix { $0 != "." }
    guard word.count < input.rest.count else { throw input.failure() }
    input.rest = input.rest.dropFirst(word.count + 1)
    let operation: RowFilter.Operation
    switch word {
    case "like", "ilike": operation = .like(try parseValue(), ignoresCase: word == "ilike")
    case "in": operation = .isOneOf(try parseList("(", ")"))
    case "is":
      switch try parseValue().lowercased() {
      case "null": operation = .isNull
      case "true": operation = .isTrue
      case "false": operation = .isFalse
      default: throw input.failure()
      }
    case "cs": operation = .contains(try parseList("{", "}"))
    case "cd": operation = .isContained(try parseList("{", "}"))
    case "ov": operation = .overlaps(try parseList("{", "}"))
    default:
      guard let comparison = RowFilter.Comparison.allCases.first(where: { "\($0)" == word }) else {
        throw .unreadable(
          "the local backend does not support the operator \"\(word.prefix(40))\"",
          details: "supported operators: eq, neq, gt, gte, lt, lte, like, ilike, is, in, cs, cd, ov and not")
      }
      operation = .compare(comparison, try parseValue())
    }
    if !isInGroup { try input.requireEndOfInput() }
    return .comparison(column: column, isNegated: isNegated, operation)
  }

  /// Parses a value, which extends to the end of the input. Inside a group, an unquoted value ends at `,` or `)`.
  private mutating func parseValue() throws(PostgRESTFailure) -> String {
    guard isInGroup else {
      defer { input.rest = "" }
      return String(input.rest)
    }
    return try parseElement(until: [",", ")"])
  }

  private mutating func parseList(_ open: String, _ close: Character) throws(PostgRESTFailure) -> [String] {
    guard input.consumePrefix(open) else { throw input.failure() }
    if input.consumePrefix(String(close)) { return [] }
    var elements: [String] = []
    repeat { elements.append(try parseElement(until: [",", close])) } while input.consumePrefix(",")
    guard input.consumePrefix(String(close)) else { throw input.failure() }
    return elements
  }

  private mutating func parseElement(until ends: Set<Character>) throws(PostgRESTFailure) -> String {
    guard input.consumePrefix("\"") else {
      let text = input.rest.prefix { !ends.contains($0) }
      input.rest = input.rest.dropFirst(text.count)
      return String(text)
    }
    var text = ""
    while let character = input.rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        guard let escaped = input.rest.popFirst() else { throw input.failure() }
        text.append(escaped)
      default: text.append(character)
      }
    }
    throw input.failure()
  }
}
