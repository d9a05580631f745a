/// A JSON object that is written as a dictionary literal. Its keys are encoded unchanged, and members whose value is
/// `nil` are omitted.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  /// A value that is encoded as `null` instead of being omitted.
  struct Null: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }

  private let members: [(name: String, value: (any Encodable)?)]

  init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
    members = elements.map { (name: $0.0, value: $0.1) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StringKey.self)
    for case (let name, let value?) in members {
      try container.encode(value, forKey: StringKey(stringValue: name))
    }
  }
}
