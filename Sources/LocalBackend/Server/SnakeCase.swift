import Foundation
import GRDB

/// A database row whose column names are its property names in snake case: `assetID` is stored as `asset_id`.
protocol SnakeCaseRow: Decodable, FetchableRecord, Sendable {}

extension SnakeCaseRow {
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { .custom { StringKey(snakeCase: $0) } }
}

extension SnakeCaseRow where Self: EncodableRecord {
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }
}

extension SnakeCaseRow where Self: TableRecord {
  static func find(_ id: String, in db: Database) throws -> Self? { try filter(Column("id") == id).fetchOne(db) }
}

extension JSONEncoder {
  /// Encodes a value as JSON with sorted keys, which are in snake case by default.
  static func data(of value: some Encodable, keys: KeyEncodingStrategy = .convertToSnakeCase) throws -> Data {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }
}

extension JSONDecoder {
  /// A decoder that converts keys from snake case: `asset_id` becomes `assetID`.
  static var snakeCase: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { StringKey(snakeCase: $0.last?.stringValue ?? "") }
    return decoder
  }
}

/// A coding key that accepts any string.
struct StringKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// Creates the property name for a key or column in snake case. `id` is the only abbreviation that occurs in the
  /// names.
  init(snakeCase name: String) {
    let words = name.split(separator: "_")
    stringValue = words.dropFirst().reduce(String(words.first ?? "")) { $0 + ($1 == "id" ? "ID" : $1.capitalized) }
  }
}
