package import Foundation

extension RowRequest {
  package typealias Query = [(String, String)]

  /// Creates a request for the rows of a table.
  /// - Parameter query: names and values, which are percent-encoded here.
  package static func rows(
    _ operation: String, _ table: String, _ query: Query, method: Method = .get, headers: [String: String] = [:],
    body: Data? = nil, isRepeatable: Bool = true
  ) -> RowRequest {
    let text = query.map { "\(encode($0))=\(encode($1))" }.joined(separator: "&")
    return RowRequest(
      operation: operation, method: method, path: text.isEmpty ? table : "\(table)?\(text)", headers: headers,
      body: body, isRepeatable: isRepeatable)
  }

  /// Creates a request that calls a function.
  /// - Parameter query: the selected columns, if the function returns rows.
  package static func call(
    _ operation: String, _ function: String, _ arguments: [String: RowValue] = [:], _ query: Query = [],
    isRepeatable: Bool = true
  ) throws -> RowRequest {
    rows(
      operation, "rpc/\(function)", query, method: .post, body: try encodeJSON(arguments), isRepeatable: isRepeatable)
  }

  package static func encodeJSON(_ value: some Encodable) throws -> Data {
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
package enum RowValue: Encodable, Sendable {
  case text(String?)
  case number(Int?)
  case decimal(Double)
  case flag(Bool)
  case id(UUID)
  case list([any Encodable & Sendable])

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .decimal(let number): try number.encode(to: encoder)
    case .flag(let flag): try flag.encode(to: encoder)
    case .id(let id): try id.rowText.encode(to: encoder)
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    }
  }
}

extension UUID {
  /// The ID as PostgreSQL formats it.
  package var rowText: String { uuidString.lowercased() }
}
