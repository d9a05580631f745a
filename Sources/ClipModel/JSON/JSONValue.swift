/// A JSON value that remembers where it stands in the text.
package struct JSONValue: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// In the order of the text, duplicates included.
    case object([JSONMember])
    /// `NaN`, `Infinity`, `-Infinity`: not JSON, but common enough to be read over. The reader has reported it.
    case notFinite(String)
  }

  package var kind: Kind
  /// First byte of the value in the text.
  package var offset: Int

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The members of an object; `nil` for anything else.
  package var members: [JSONMember]? {
    if case .object(let members) = kind { members } else { nil }
  }

  /// The elements of an array; `nil` for anything else.
  package var elements: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  package var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  package var number: JSONNumber? {
    if case .number(let number) = kind { number } else { nil }
  }

  /// The value of a key; the first one when the key is there twice, as Foundation's decoder has it.
  package subscript(key: String) -> JSONValue? {
    members?.first { $0.key == key }?.value
  }

  /// What it is, for messages: `an array`, `text`.
  package var typeName: String {
    switch kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    case .notFinite(let literal): literal
    }
  }
}

/// A key and its value.
package struct JSONMember: Equatable, Sendable {
  package var key: String
  package var value: JSONValue

  package init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A number as it is written, so that nothing is lost before somebody asks for a type.
package struct JSONNumber: Equatable, Sendable {
  package var text: String

  package init(text: String) { self.text = text }

  /// `nil` when the number does not fit a double (`1e400`).
  package var finiteDouble: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// `nil` when there is a fraction or it does not fit: `3`, `3.0` and `3e0` are 3, `3.5` is not an integer.
  package var integer: Int? { Int(text) ?? finiteDouble.flatMap(Int.init(exactly:)) }
}
