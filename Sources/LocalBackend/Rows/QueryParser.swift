/// Consumes a part of a query string from the left.
struct QueryParser {
  var rest: Substring
  /// The message of the error for text that can't be parsed.
  let message: String

  mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  func requireEnd() throws(PostgRESTFailure) {
    guard rest.isEmpty else { throw failure() }
  }

  func failure() -> PostgRESTFailure {
    .unreadable(message, details: "the local backend cannot read it at \"\(rest.prefix(40))\"")
  }
}
