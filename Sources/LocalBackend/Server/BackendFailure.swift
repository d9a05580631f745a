import Foundation
import HTTPTypes
import Hummingbird

/// A refusal of our own routes: `{"error":{"type":…,"messages":[…]}}`, as Mux shapes them.
struct BackendFailure: HTTPResponseError {
  var status: HTTPResponse.Status
  var type: String
  var messages: [String]
  var headers = HTTPFields()

  private struct Body: Encodable {
    struct Content: Encodable {
      var type: String
      var messages: [String]
    }
    var error: Content
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(Body(error: .init(type: type, messages: messages)), status: status, headers: headers)
  }

  static func notFound(_ what: String) -> BackendFailure {
    BackendFailure(status: .notFound, type: "not_found", messages: ["\(what) does not exist"])
  }
}

extension Response {
  /// - Parameter keys: how the names of properties become keys.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
    keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
  ) throws -> Response {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    headers[.cacheControl] = "no-store"
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }
}

extension HTTPFields {
  /// The value of a header that swift-http-types has no constant for; the name in lower case.
  func value(of name: String) -> String? { first { $0.name.canonicalName == name }?.value }

  mutating func set(_ name: String, to value: String) {
    guard let name = HTTPField.Name(name) else { return }
    self[name] = value
  }
}
