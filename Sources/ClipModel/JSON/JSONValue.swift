/// A JSON value and its position in the document.
package struct JSONValue: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// The object's members in document order, including duplicates.
    case object([JSONMember])
    /// `NaN`, `Infinity` or `-Infinity`, which aren't valid JSON but are common. The reader has already reported the
    /// problem.
    case notFinite(String)
  }

  package var kind: Kind
  /// The byte offset of the value in the document.
  package var offset: Int

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The members of an object; `nil` if the value is not an object.
  package var members: [JSONMember]? {
    if case .object(let members) = kind { members } else { nil }
  }

  /// The elements of an array; `nil` if the value is not an array.
  package var elements: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  package var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  package var number: JSONNumber? {
    if case .number(let number) = kind { number } else { nil }
  }

  /// The value for a key. If the key is duplicated, the first value is returned, as in Foundation's decoder.
  package subscript(key: String) -> JSONValue? {
    members?.first { $0.key == key }?.value
  }

  /// The name of the type for error messages: `an array`, `a string`.
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

/// A key and its value in a JSON object.
package struct JSONMember: Equatable, Sendable {
  package var key: String
  package var value: JSONValue

  package init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A number stored as text, so no precision is lost before conversion.
package struct JSONNumber: Equatable, Sendable {
  package var text: String

  /// The number as a finite `Double`; `nil` if it's out of range (`1e400`).
  package var finiteDouble: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// The number as an integer; `nil` if it has a fraction or is out of range. `3`, `3.0` and `3e0` are 3, but `3.5` is
  /// not an integer.
  package var integer: Int? { Int(text) ?? finiteDouble.flatMap(Int.init(exactly:)) }
}
