/// A condition of a query: `author_id=eq.…`, `or=(caption.ilike.%a%,tags.cs.{a})`.
indirect enum RowFilter: Equatable, Sendable {
  case comparison(column: String, isNegated: Bool, Operation)
  case all([RowFilter], isNegated: Bool)
  case any([RowFilter], isNegated: Bool)

  enum Operation: Equatable, Sendable {
    case compare(Comparison, String)
    /// `%` stands for any text, as does `*`; `_` for one character.
    case like(String, ignoresCase: Bool)
    case isOneOf([String])
    case isNull
    case isTrue
    case isFalse
    case contains([String])
    case isContained([String])
    case overlaps([String])
  }

  /// By the name of the operator.
  enum Comparison: String, Sendable {
    case eq, neq, gt, gte, lt, lte

    var sql: String {
      switch self {
      case .eq: "="
      case .neq: "<>"
      case .gt: ">"
      case .gte: ">="
      case .lt: "<"
      case .lte: "<="
      }
    }
  }

  /// Groups inside groups.
  private static let depthLimit = 8

  /// `column=not.eq.value`
  static func parameter(_ name: String, _ value: String) throws(PostgRESTFailure) -> RowFilter {
    guard RowQuery.isName(name) else {
      throw PostgRESTFailure.unreadable("the local backend does not know the parameter \(name.prefix(80))")
    }
    var parser = ValueParser(rest: value[...], isInGroup: false)
    return try parser.comparison(of: name)
  }

  /// `or=(…)`, `not.and=(…)`
  static func group(_ name: String, _ value: String) throws(PostgRESTFailure) -> RowFilter {
    guard value.hasPrefix("(") else {
      throw PostgRESTFailure.unreadable(
        "failed to parse logic tree", details: "\(name)= needs conditions in parentheses")
    }
    var parser = ValueParser(rest: "\(name)\(value)"[...], isInGroup: true)
    let filter = try parser.term(depth: 0)
    guard parser.rest.isEmpty else { throw parser.failure() }
    return filter
  }

  /// Reads conditions from the left; what it cannot read it refuses.
  private struct ValueParser {
    var rest: Substring
    let isInGroup: Bool

    mutating func term(depth: Int) throws(PostgRESTFailure) -> RowFilter {
      guard depth <= RowFilter.depthLimit else {
        throw PostgRESTFailure.unreadable("the condition has too many levels")
      }
      let start = rest
      let isNegated = take("not.")
      for (word, isAny) in [("and(", false), ("or(", true)] where take(word) {
        var terms: [RowFilter] = []
        repeat { terms.append(try term(depth: depth + 1)) } while take(",")
        guard take(")") else { throw failure() }
        return isAny ? .any(terms, isNegated: isNegated) : .all(terms, isNegated: isNegated)
      }
      rest = start
      let column = rest.prefix { $0 != "." && $0 != "," && $0 != ")" }
      guard RowQuery.isName(column) else { throw failure() }
      rest = rest.dropFirst(column.count)
      guard take(".") else { throw failure() }
      return try comparison(of: String(column))
    }

    mutating func comparison(of column: String) throws(PostgRESTFailure) -> RowFilter {
      let isNegated = take("not.")
      let word = rest.prefix { $0 != "." }
      guard word.count < rest.count else { throw failure() }
      rest = rest.dropFirst(word.count + 1)
      let operation: Operation
      switch word {
      case "like", "ilike": operation = .like(try value(), ignoresCase: word == "ilike")
      case "in": operation = .isOneOf(try list("(", ")"))
      case "is":
        switch try value().lowercased() {
        case "null": operation = .isNull
        case "true": operation = .isTrue
        case "false": operation = .isFalse
        default: throw failure()
        }
      case "cs": operation = .contains(try list("{", "}"))
      case "cd": operation = .isContained(try list("{", "}"))
      case "ov": operation = .overlaps(try list("{", "}"))
      default:
        guard let comparison = Comparison(rawValue: String(word)) else {
          throw PostgRESTFailure.unreadable(
            "the local backend does not know the operator \"\(word.prefix(40))\"",
            details: "it knows eq, neq, gt, gte, lt, lte, like, ilike, is, in, cs, cd, ov and not")
        }
        operation = .compare(comparison, try value())
      }
      guard isInGroup || rest.isEmpty else { throw failure() }
      return .comparison(column: column, isNegated: isNegated, operation)
    }

    /// Everything that is left; inside a group up to `,` or `)`, unless it is quoted.
    private mutating func value() throws(PostgRESTFailure) -> String {
      guard isInGroup else {
        defer { rest = "" }
        return String(rest)
      }
      return try element(until: [",", ")"])
    }

    private mutating func list(_ open: Character, _ close: Character) throws(PostgRESTFailure) -> [String] {
      guard take(String(open)) else { throw failure() }
      if take(String(close)) { return [] }
      var elements: [String] = []
      repeat { elements.append(try element(until: [",", close])) } while take(",")
      guard take(String(close)) else { throw failure() }
      return elements
    }

    private mutating func element(until ends: Set<Character>) throws(PostgRESTFailure) -> String {
      guard take("\"") else {
        let text = rest.prefix { !ends.contains($0) }
        rest = rest.dropFirst(text.count)
        return String(text)
      }
      var text = ""
      while let character = rest.popFirst() {
        switch character {
        case "\"": return text
        case "\\":
          guard let escaped = rest.popFirst() else { throw failure() }
          text.append(escaped)
        default: text.append(character)
        }
      }
      throw failure()
    }

    private mutating func take(_ text: String) -> Bool {
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }

    func failure() -> PostgRESTFailure {
      PostgRESTFailure.unreadable(
        "failed to parse filter", details: "the local backend cannot read it at \"\(rest.prefix(40))\"")
    }
  }
}
