import Foundation
import GRDB

/// A row whose columns are the names of its properties in snake case: `assetID` is `asset_id`.
protocol SnakeCaseRow: Decodable, FetchableRecord, Sendable {}

extension SnakeCaseRow {
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { .custom { StringKey(column: $0) } }
}

extension SnakeCaseRow where Self: EncodableRecord {
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }
}

/// A key that is known by its name alone.
struct StringKey: CodingKey, ExpressibleByStringLiteral {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral value: String) { stringValue = value }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// The property of a column. Only `id` occurs as an initialism.
  init(column: String) {
    let words = column.split(separator: "_")
    stringValue = words.dropFirst().reduce(String(words.first ?? "")) { $0 + ($1 == "id" ? "ID" : $1.capitalized) }
  }
}
