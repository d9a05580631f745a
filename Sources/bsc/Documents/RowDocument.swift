/// A row of the backend as a document, with further members.
struct RowDocument<Row: Encodable>: Encodable {
  private let schema: String
  private let key: String
  private let row: Row
  private let facts: [String: String]

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// - Parameters:
  ///   - key: the row's key.
  ///   - facts: further members. `nil` values are left out.
  init(schema: String, key: String, _ row: Row, _ facts: [String: String?] = [:]) {
    (self.schema, self.key, self.row) = (schema, key, row)
    self.facts = facts.compactMapValues(\.self)
  }

  /// A document of `bsc social`.
  /// - Parameters:
  ///   - name: the document's name, as in `bsc.social-NAME/1`.
  ///   - key: the row's key. (default: the name)
  init(_ name: String, key: String? = nil, _ row: Row) {
    self.init(schema: "bsc.social-\(name)/1", key: key ?? name, row)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(schema, forKey: Key("schema"))
    try container.encode(row, forKey: Key(key))
    for (name, fact) in facts { try container.encode(fact, forKey: Key(name)) }
  }
}
