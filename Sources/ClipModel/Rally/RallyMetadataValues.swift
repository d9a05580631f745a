internal import Foundation

/// Typed values out of the tree; each says itself what is wrong with it and answers `nil`. Places are put together only
/// for what is wrong: a match has a hundred thousand values.
extension RallyMetadataReader {
  mutating func identifier(in object: JSONValue, _ key: String, at path: @autoclosure () -> String? = nil) -> UUID? {
    guard let text = text(in: object, key, at: path()) else { return nil }
    guard let id = UUID(uuidString: text) else {
      report(.identifier, "\"\(text)\" is not a UUID", at: path() ?? key)
      return nil
    }
    return id
  }

  mutating func text(in object: JSONValue, _ key: String, at path: @autoclosure () -> String? = nil) -> String? {
    guard let value = required(key, in: object, at: path()) else { return nil }
    guard let text = value.string else {
      mistyped(value, path() ?? key, "text")
      return nil
    }
    return text
  }

  mutating func finite(in object: JSONValue, _ key: String, at path: @autoclosure () -> String) -> Double? {
    guard let value = required(key, in: object, at: path()) else { return nil }
    guard let number = value.number else {
      mistyped(value, path(), "a number")
      return nil
    }
    guard let double = number.finiteDouble else {
      report(.value, "\(number.text.prefix(40)) is not finite: it does not fit a double", at: path())
      return nil
    }
    return double
  }

  mutating func integer(in object: JSONValue, _ key: String, at path: @autoclosure () -> String) -> Int? {
    guard let value = required(key, in: object, at: path()) else { return nil }
    guard let number = value.number else {
      mistyped(value, path(), "an integer")
      return nil
    }
    guard let integer = number.integer else {
      report(.value, "\(number.text.prefix(40)) is not an integer", at: path())
      return nil
    }
    return integer
  }

  mutating func mistyped(_ value: JSONValue, _ path: String, _ expected: String) {
    // The JSON reader has already reported it.
    if case .notFinite = value.kind { return }
    report(.value, "expected \(expected), found \(value.typeName)", at: path)
  }

  private mutating func required(_ key: String, in object: JSONValue, at path: @autoclosure () -> String?) -> JSONValue?
  {
    guard let value = object[key] else {
      report(.value, "\"\(key)\" is missing", at: path() ?? key)
      return nil
    }
    return value
  }
}
