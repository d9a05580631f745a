import Hummingbird

/// Which part of a list is wanted.
struct MuxPage: Sendable {
  var limit: Int
  var offset: Int

  /// `limit` from 1 to 100, 25 when it is left out; `page` counts from 1.
  init(_ request: Request) throws(BackendFailure) {
    let limit = try Self.number("limit", request, default: 25, in: 1...100)
    let page = try Self.number("page", request, default: 1, in: 1...1_000_000)
    self.limit = limit
    offset = (page - 1) * limit
  }

  private static func number(
    _ name: Substring, _ request: Request, default usual: Int, in range: ClosedRange<Int>
  ) throws(BackendFailure) -> Int {
    guard let text = request.uri.queryParameters[name] else { return usual }
    return try BackendContext.number(text, of: name, in: range)
  }
}
