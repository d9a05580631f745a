import Foundation

extension SocialRequest {
  /// Creates a request for the rows of a table.
  /// - Parameter query: the names and values of the query, which are percent-encoded here.
  static func rows(
    _ operation: String, _ table: String, _ query: [(String, String)], method: Method = .get,
    headers: [String: String] = [:], body: Data? = nil
  ) -> SocialRequest {
    let text = query.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    return SocialRequest(
      operation: operation, method: method, path: text.isEmpty ? table : "\(table)?\(text)", headers: headers,
      body: body)
  }

  /// Creates a request that inserts one row.
  static func insert(_ operation: String, into table: String, _ row: [String: RowValue]) throws -> SocialRequest {
    rows(
      operation, table, [], method: .post, headers: ["Prefer": "return=minimal"], body: try encodeJSON(row))
  }

  /// Creates a request that calls a function.
  /// - Parameter query: the selected columns, if the function returns rows.
  static func call(
    _ operation: String, _ function: String, _ arguments: [String: RowValue] = [:], _ query: [(String, String)] = []
  ) throws -> SocialRequest {
    rows(operation, "rpc/\(function)", query, method: .post, body: try encodeJSON(arguments))
  }

  static func encodeJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Percent-encodes everything except the unreserved characters and PostgREST's punctuation.
  private static func encode(_ text: String) -> String {
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,():*")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}

/// A value of a column or of an argument.
enum RowValue: Encodable {
  case text(String?)
  case number(Int)
  case id(UUID)

  /// The condition of a query that a column has this value.
  var condition: String {
    switch self {
    case .text(let text): text.map { "eq.\($0)" } ?? "is.null"
    case .number(let number): "eq.\(number)"
    case .id(let id): "eq.\(id.rowText)"
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .id(let id): try container.encode(id.rowText)
    }
  }
}

extension UUID {
  /// The ID as PostgreSQL formats it.
  var rowText: String { uuidString.lowercased() }
}
