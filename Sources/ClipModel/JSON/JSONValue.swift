/// A JSON value with its position in the text.
package struct JSONValue: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// The members in text order, including duplicates.
    case object([JSONMember])
    /// `NaN`, `Infinity` or `-Infinity`: not JSON, but common. The reader has reported it.
    case notFinite(String)
  }

  package var kind: Kind
  /// The first byte of the value in the text.
  package var offset: Int

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The members of an object; `nil` for other values.
  package var members: [JSONMember]? {
    if case .object(let members) = kind { members } else { nil }
  }

  /// The elements of an array; `nil` for other values.
  package var elements: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  package var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  package var number: JSONNumber? {
    if case .number(let number) = kind { number } else { nil }
  }

  /// The value of a key. For a duplicate key, the first value, as in Foundation's decoder.
  package subscript(key: String) -> JSONValue? {
    members?.first { $0.key == key }?.value
  }

  /// The type for display in messages: `an array`, `a string`.
  package var typeName: String {
    switch kind {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .notFinite(let literal): literal
    }
  }
}

/// A key with its value.
package struct JSONMember: Equatable, Sendable {
  package var key: String
  package var value: JSONValue

  package init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A number as text, so that no precision is lost before it is converted.
package struct JSONNumber: Equatable, Sendable {
  package var text: String

  /// `nil` if the number is out of range for a double (`1e400`).
  package var finiteDouble: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// `nil` if the number has a fraction or is out of range: `3`, `3.0` and `3e0` are 3, but `3.5` is not an integer.
  package var integer: Int? { Int(text) ?? finiteDouble.flatMap(Int.init(exactly:)) }
}
