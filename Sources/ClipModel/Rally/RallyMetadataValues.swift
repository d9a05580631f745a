internal import Foundation

/// Typed access to the values of the tree. A missing or wrong value is reported and becomes `nil`. `path` is the path
/// of the object with a trailing period; full paths are only built for messages, because a match has a hundred thousand
/// values.
extension RallyMetadataReader {
  mutating func identifier(_ key: String, in object: JSONValue, path: String = "") -> UUID? {
    guard let text = text(key, in: object, path: path) else { return nil }
    let id = UUID(uuidString: text)
    if id == nil { report(.identifier, "\"\(text)\" is not a UUID", at: path + key) }
    return id
  }

  mutating func text(_ key: String, in object: JSONValue, path: String = "") -> String? {
    value(key, in: object, path: path, "a string", \.string)
  }

  mutating func finite(_ key: String, in object: JSONValue, path: String) -> Double? {
    guard let number = value(key, in: object, path: path, "a number", \.number) else { return nil }
    let double = number.finiteDouble
    if double == nil { report(.value, "\(number.text.prefix(40)) does not fit in a double", at: path + key) }
    return double
  }

  mutating func integer(_ key: String, in object: JSONValue, path: String) -> Int? {
    guard let number = value(key, in: object, path: path, "an integer", \.number) else { return nil }
    let integer = number.integer
    if integer == nil { report(.value, "\(number.text.prefix(40)) is not an integer", at: path + key) }
    return integer
  }

  mutating func reportType(_ value: JSONValue, _ expected: String, at path: String) {
    // The JSON reader has already reported these.
    if case .notFinite = value.kind { return }
    report(.value, "expected \(expected), found \(value.typeName)", at: path)
  }

  private mutating func value<Value>(
    _ key: String, in object: JSONValue, path: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = object[key] else {
      report(.value, "\"\(key)\" is missing", at: path + key)
      return nil
    }
    let result = read(value)
    if result == nil { reportType(value, expected, at: path + key) }
    return result
  }
}
