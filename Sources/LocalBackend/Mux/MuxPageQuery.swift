import Hummingbird

/// The page of a list that a request asks for.
struct MuxPageQuery: Sendable {
  var limit: Int
  var offset: Int

  /// Reads the page from the query. `limit` is 1 to 100 (25 by default), and `page` starts at 1.
  init(_ request: Request) throws(BackendFailure) {
    func number(_ name: Substring, default fallback: Int, in range: ClosedRange<Int>) throws(BackendFailure) -> Int {
      guard let text = request.uri.queryParameters[name] else { return fallback }
      return try BackendContext.parseInteger(text, of: name, in: range)
    }
    limit = try number("limit", default: 25, in: 1...100)
    offset = (try number("page", default: 1, in: 1...1_000_000) - 1) * limit
  }
}
