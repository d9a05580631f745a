internal import Foundation

/// Reads values of the expected type from a JSON object. Missing and invalid values are reported and become `nil`.
/// `path` is the object's path with a trailing period. Complete paths are built only for error messages because a match
/// contains about 100,000 values.
extension RallyMetadataReader {
  mutating func readIdentifier(_ key: String, in object: JSONValue, path: String = "") -> UUID? {
    guard let text = readText(key, in: object, path: path) else { return nil }
    let id = UUID(uuidString: text)
    if id == nil { reportFinding(.identifier, "\"\(text)\" is not a UUID", at: path + key) }
    return id
  }

  mutating func readText(_ key: String, in object: JSONValue, path: String = "") -> String? {
    readValue(key, in: object, path: path, "a string", \.string)
  }

  mutating func readFiniteNumber(_ key: String, in object: JSONValue, path: String) -> Double? {
    guard let number = readValue(key, in: object, path: path, "a number", \.number) else { return nil }
    let double = number.finiteDouble
    if double == nil { reportFinding(.value, "\(number.text.prefix(40)) is out of range for a double", at: path + key) }
    return double
  }

  mutating func readInteger(_ key: String, in object: JSONValue, path: String) -> Int? {
    guard let number = readValue(key, in: object, path: path, "an integer", \.number) else { return nil }
    let integer = number.integer
    if integer == nil { reportFinding(.value, "\(number.text.prefix(40)) is not an integer", at: path + key) }
    return integer
  }

  mutating func reportTypeMismatch(_ value: JSONValue, _ expected: String, at path: String) {
    // The JSON reader has already reported nonfinite numbers.
    if case .notFinite = value.kind { return }
    reportFinding(.value, "expected \(expected), found \(value.typeName)", at: path)
  }

  private mutating func readValue<Value>(
    _ key: String, in object: JSONValue, path: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = object[key] else {
      reportFinding(.value, "\"\(key)\" is missing", at: path + key)
      return nil
    }
    let result = read(value)
    if result == nil { reportTypeMismatch(value, expected, at: path + key) }
    return result
  }
}
