import Foundation
import HummingbirdCore

/// Parses a query string from left to right.
struct QueryParser {
  var rest: Substring
  /// The error message for a query that cannot be parsed.
  let message: String

  mutating func consumePrefix(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  func requireEndOfInput() throws(PostgRESTFailure) {
    guard rest.isEmpty else { throw failure() }
  }

  func failure() -> PostgRESTFailure {
    .unreadable(message, details: "the local backend cannot parse the query at \"\(rest.prefix(40))\"")
  }
}

/// Decodes a string in the format `application/x-www-form-urlencoded`.
/// - Returns: `nil` if the string isn't percent-encoded UTF-8.
func decodeForm(_ text: String) -> [(name: String, value: String)]? {
  var pairs: [(name: String, value: String)] = []
  for pair in text.split(separator: "&") {
    let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.replacing("+", with: " ").removingPercentEncoding }
    guard let name = halves[0], let value = halves.count > 1 ? halves[1] : "" else { return nil }
    pairs.append((name, value))
  }
  return pairs
}

extension URI {
  /// The fields of a form that was sent with GET, without those that can't be decoded. In `queryParameters`, spaces would
  /// be `+`.
  var formFields: [(name: String, value: String)] {
    (query ?? "").split(separator: "&").compactMap { decodeForm(String($0))?.first }
  }

  func formField(_ name: String) -> String? { formFields.first { $0.name == name }?.value }
}
