import Foundation

/// The parsed query string of a request to `/rest/v1`. It supports the parameters that the app and bsc use, and rejects
/// all others.
struct RowQuery: Equatable, Sendable {
  indirect enum SelectedItem: Equatable, Sendable {
    case all
    case column(String, alias: String?)
    /// Related rows, which are written as `alias:table!hint(columns)`.
    case embedded(Embedding)

    /// Whether the query is `select=count`. PostgREST responds to this query with the number of rows.
    var isCount: Bool { if case .column(RowQuery.countColumn, _) = self { true } else { false } }
  }

  struct Embedding: Equatable, Sendable {
    var alias: String?
    var target: String
    /// The column or constraint that selects one of several possible relationships.
    var hint: String?
    /// Whether rows without related rows are omitted.
    var isInner = false
    var selected: [SelectedItem]
  }

  struct OrderTerm: Equatable, Sendable {
    var column: String
    var isDescending = false
    /// Whether nulls are sorted first. If `nil`, nulls are the largest values, as in PostgreSQL.
    var nullsFirst: Bool?
  }

  var selected: [SelectedItem] = [.all]
  var filters: [RowFilter] = []
  var order: [OrderTerm] = []
  var limit: Int?
  var offset = 0
  var conflictColumns: [String]?
  /// The keys of the request body that are used. All other keys are ignored.
  var columns: [String]?
  /// The arguments of a function call that uses GET.
  var arguments: [String: String] = [:]

  static let countColumn = "count"

  /// Creates a query that selects all rows.
  init() {}

  /// Parses a query string.
  /// - Parameters:
  ///   - query: the percent-encoded query string.
  ///   - argumentNames: the names of the called function's arguments. These parameters are not filters.
  init(_ query: String, argumentNames: Set<String> = []) throws(PostgRESTFailure) {
    guard let pairs = decodeForm(query) else { throw .unreadable("the query is not percent-encoded UTF-8") }
    var seen = Set<String>()
    for (name, value) in pairs {
      guard !name.utf8.contains(0), !value.utf8.contains(0) else { throw .unreadable("the query contains a NUL byte") }
      if ["select", "order", "limit", "offset", "on_conflict", "columns"].contains(name), !seen.insert(name).inserted {
        throw .unreadable("\(name) is specified more than once")
      }
      switch name {
      case "select": selected = try SelectParser.parse(value)
      case "order": order = try Self.orderTerms(value)
      case "limit":
        guard let number = try Self.number(value, name) else {
          throw .unsatisfiableRange("Limit should be greater than or equal to zero.")
        }
        limit = number
      // A negative offset has no effect.
      case "offset": offset = try Self.number(value, name) ?? 0
      case "on_conflict": conflictColumns = Self.columnNames(value)
      case "columns": columns = Self.columnNames(value)
      case "and", "or", "not.and", "not.or": filters.append(try RowFilter.parseGroup(name, value))
      case _ where argumentNames.contains(name): arguments[name] = arguments[name] ?? value
      default: filters.append(try RowFilter.parseParameter(name, value))
      }
    }
  }

  private static func columnNames(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\" ")) }
  }

  /// The maximum value of `limit` and `offset`. It is larger than any table, but small enough to avoid overflow.
  private static let largestNumber: Int64 = 1 << 40

  /// Parses the number in `limit` or `offset`.
  /// - Returns: `nil` if the number is negative.
  private static func number(_ text: String, _ name: String) throws(PostgRESTFailure) -> Int? {
    let isNegative = text.hasPrefix("-")
    guard let number = parseDecimal(text.dropFirst(isNegative ? 1 : 0)) else {
      throw .unreadable("\(name) is not a number")
    }
    return isNegative && number > 0 ? nil : Int(min(number, largestNumber))
  }

  private static func orderTerms(_ text: String) throws(PostgRESTFailure) -> [OrderTerm] {
    var terms: [OrderTerm] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ".", omittingEmptySubsequences: false)
      guard let column = words.first, isIdentifier(column) else { throw .unreadable("failed to parse order (\(text))") }
      var term = OrderTerm(column: String(column))
      for (position, word) in words.dropFirst().enumerated() {
        switch word {
        case "asc" where position == 0: break
        case "desc" where position == 0: term.isDescending = true
        case "nullsfirst" where term.nullsFirst == nil: term.nullsFirst = true
        case "nullslast" where term.nullsFirst == nil: term.nullsFirst = false
        default: throw .unreadable("failed to parse order (\(text))")
        }
      }
      terms.append(term)
    }
    return terms
  }

  /// Whether a string is a valid name for a table or column.
  static func isIdentifier<Text: BidirectionalCollection>(_ text: Text) -> Bool where Text.SubSequence == Substring {
    text.wholeMatch(of: /[A-Za-z0-9_]{1,63}/) != nil
  }
}

/// Parses the parameter `select`, such as `*,author:profiles(*),poll:polls(*,options:poll_options(*))`.
struct SelectParser {
  /// The maximum nesting depth of relationships.
  private static let depthLimit = 6

  private var input: QueryParser

  static func parse(_ text: String) throws(PostgRESTFailure) -> [RowQuery.SelectedItem] {
    // Long queries may contain white space between names, but never inside them.
    let rest = text.filter { !$0.isWhitespace && $0 != "\"" }[...]
    if rest.isEmpty { return [.all] }
    var parser = SelectParser(input: QueryParser(rest: rest, message: "failed to parse select parameter"))
    let items = try parser.parseItems(depth: 0)
    try parser.input.requireEndOfInput()
    return items
  }

  private mutating func parseItems(depth: Int) throws(PostgRESTFailure) -> [RowQuery.SelectedItem] {
    guard depth <= Self.depthLimit else { throw .unreadable("select is nested too deeply") }
    var items: [RowQuery.SelectedItem] = []
    repeat { items.append(try parseItem(depth: depth)) } while input.consumePrefix(",")
    return items
  }

  private mutating func parseItem(depth: Int) throws(PostgRESTFailure) -> RowQuery.SelectedItem {
    if input.consumePrefix("*") { return .all }
    var name = try parseName()
    var alias: String?
    if !input.rest.hasPrefix("::"), input.consumePrefix(":") {
      alias = name
      name = try parseName()
    }
    var hint: String?
    var isInner = false
    while input.consumePrefix("!") {
      switch try parseName() {
      case "inner": isInner = true
      case "left": break
      case let text where hint == nil: hint = text
      default: throw input.failure()
      }
    }
    guard input.consumePrefix("(") else {
      guard hint == nil, !isInner else { throw input.failure() }
      return .column(name, alias: alias)
    }
    let inner = input.rest.first == ")" ? [] : try parseItems(depth: depth + 1)
    guard input.consumePrefix(")") else { throw input.failure() }
    return .embedded(
      RowQuery.Embedding(alias: alias, target: name, hint: hint, isInner: isInner, selected: inner))
  }

  private mutating func parseName() throws(PostgRESTFailure) -> String {
    let name = input.rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard RowQuery.isIdentifier(name) else { throw input.failure() }
    input.rest = input.rest.dropFirst(name.count)
    return String(name)
  }
}
