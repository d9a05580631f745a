import Foundation

/// The query string of a request to `/rest/v1`, understood as far as the app and bsc need it. Anything else is refused,
/// never misread.
struct RowQuery: Equatable, Sendable {
  indirect enum Selected: Equatable, Sendable {
    case all
    case column(String, alias: String?)
    /// `alias:table!hint(columns)`; `isInner` drops rows that have none.
    case embedded(Embedding)

    /// `select=count`, with which PostgREST returns the number of rows.
    var isCount: Bool { if case .column(RowQuery.countColumn, _) = self { true } else { false } }
  }

  struct Embedding: Equatable, Sendable {
    var alias: String?
    var target: String
    /// A column or constraint that selects one of several relations.
    var hint: String?
    var isInner = false
    var selected: [Selected]
  }

  struct OrderTerm: Equatable, Sendable {
    var column: String
    var isDescending = false
    /// `nil`: as PostgreSQL, nulls are larger than all.
    var nullsFirst: Bool?
  }

  struct Argument: Equatable, Sendable {
    var name: String
    var value: String
  }

  var selected: [Selected] = [.all]
  var filters: [RowFilter] = []
  var order: [OrderTerm] = []
  var limit: Int?
  var offset = 0
  var conflictColumns: [String]?
  /// The only keys of the body that count.
  var columns: [String]?
  /// Names that are none of the above and no filter: arguments of a function called by GET.
  var arguments: [Argument] = []

  static let countColumn = "count"

  /// All rows.
  init() {}

  /// - Parameters:
  ///   - query: percent-encoded, as it came.
  ///   - argumentNames: of the function that is called; these are no columns.
  init(_ query: String, argumentNames: Set<String> = []) throws(PostgRESTFailure) {
    var seen = Set<String>()
    for (name, value) in try Self.parameters(query) {
      if ["select", "order", "limit", "offset", "on_conflict", "columns"].contains(name), !seen.insert(name).inserted {
        throw PostgRESTFailure.unreadable("\(name) is given twice")
      }
      switch name {
      case "select": selected = try SelectParser.read(value)
      case "order": order = try Self.orderTerms(value)
      case "limit":
        guard let number = try Self.number(value, name) else {
          throw .unsatisfiableRange("Limit should be greater than or equal to zero.")
        }
        limit = number
      // A negative one changes nothing.
      case "offset": offset = try Self.number(value, name) ?? 0
      case "on_conflict": conflictColumns = Self.names(value)
      case "columns": columns = Self.names(value)
      case "and", "or", "not.and", "not.or": filters.append(try RowFilter.group(name, value))
      case _ where argumentNames.contains(name): arguments.append(Argument(name: name, value: value))
      default: filters.append(try RowFilter.parameter(name, value))
      }
    }
  }

  private static func parameters(_ query: String) throws(PostgRESTFailure) -> [(String, String)] {
    var result: [(String, String)] = []
    for part in query.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves[0]), let value = decoded(halves.count > 1 ? halves[1] : "") else {
        throw PostgRESTFailure.unreadable("the query is not percent-encoded UTF-8")
      }
      guard !name.utf8.contains(0), !value.utf8.contains(0) else {
        throw PostgRESTFailure.unreadable("the query contains a zero byte")
      }
      result.append((name, value))
    }
    return result
  }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }

  private static func names(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\" ")) }
  }

  /// Larger than every table, and too small to overflow.
  private static let largestNumber: Int64 = 1 << 40

  /// - Returns: `nil` for a negative number.
  private static func number(_ text: String, _ name: String) throws(PostgRESTFailure) -> Int? {
    let isNegative = text.hasPrefix("-")
    guard let number = decimal(text.dropFirst(isNegative ? 1 : 0)) else {
      throw PostgRESTFailure.unreadable("\(name) is not a number")
    }
    return isNegative && number > 0 ? nil : Int(min(number, largestNumber))
  }

  private static func orderTerms(_ text: String) throws(PostgRESTFailure) -> [OrderTerm] {
    var terms: [OrderTerm] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ".", omittingEmptySubsequences: false)
      guard let column = words.first, isName(column) else {
        throw PostgRESTFailure.unreadable("failed to parse order (\(text))")
      }
      var term = OrderTerm(column: String(column))
      for (position, word) in words.dropFirst().enumerated() {
        switch word {
        case "asc" where position == 0: break
        case "desc" where position == 0: term.isDescending = true
        case "nullsfirst" where term.nullsFirst == nil: term.nullsFirst = true
        case "nullslast" where term.nullsFirst == nil: term.nullsFirst = false
        default: throw PostgRESTFailure.unreadable("failed to parse order (\(text))")
        }
      }
      terms.append(term)
    }
    return terms
  }

  /// A name as tables and columns have it here.
  static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 63 && text.utf8.allSatisfy { $0 == 0x5F || isDigit($0) || isLetter($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

/// Reads `select=`: `*,author:profiles(*),poll:polls(*,options:poll_options(*))`.
struct SelectParser {
  /// Relations inside relations.
  private static let depthLimit = 6

  private var rest: Substring

  static func read(_ text: String) throws(PostgRESTFailure) -> [RowQuery.Selected] {
    // White space between the parts is what people write into long queries; no name has any.
    var parser = SelectParser(rest: text.filter { !$0.isWhitespace && $0 != "\"" }[...])
    if parser.rest.isEmpty { return [.all] }
    let items = try parser.items(depth: 0)
    guard parser.rest.isEmpty else { throw parser.failure() }
    return items
  }

  private mutating func items(depth: Int) throws(PostgRESTFailure) -> [RowQuery.Selected] {
    guard depth <= Self.depthLimit else { throw PostgRESTFailure.unreadable("select has too many levels") }
    var items: [RowQuery.Selected] = []
    repeat { items.append(try item(depth: depth)) } while take(",")
    return items
  }

  private mutating func item(depth: Int) throws(PostgRESTFailure) -> RowQuery.Selected {
    if take("*") { return .all }
    var name = try self.name()
    var alias: String?
    if rest.first == ":", rest.dropFirst().first != ":" {
      _ = take(":")
      alias = name
      name = try self.name()
    }
    var hint: String?
    var isInner = false
    while take("!") {
      switch try self.name() {
      case "inner": isInner = true
      case "left": break
      case let text where hint == nil: hint = text
      default: throw failure()
      }
    }
    guard take("(") else {
      guard hint == nil, !isInner else { throw failure() }
      return .column(name, alias: alias)
    }
    let inner = rest.first == ")" ? [] : try items(depth: depth + 1)
    guard take(")") else { throw failure() }
    return .embedded(
      RowQuery.Embedding(alias: alias, target: name, hint: hint, isInner: isInner, selected: inner))
  }

  private mutating func name() throws(PostgRESTFailure) -> String {
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard RowQuery.isName(name) else { throw failure() }
    rest = rest.dropFirst(name.count)
    return String(name)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest = rest.dropFirst()
    return true
  }

  private func failure() -> PostgRESTFailure {
    PostgRESTFailure.unreadable(
      "failed to parse select parameter", details: "the local backend cannot read it at \"\(rest.prefix(40))\""
    )
  }
}
