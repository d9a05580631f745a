import Foundation
import HTTPTypes
import Hummingbird

/// A refusal of our own routes: `{"error":{"type":…,"messages":[…]}}`, as Mux shapes them.
struct BackendFailure: HTTPResponseError {
  let status: HTTPResponse.Status
  let type: String
  private let messages: [String]
  private let headers: HTTPFields

  init(_ status: HTTPResponse.Status, _ type: String, messages: [String], headers: HTTPFields = [:]) {
    self.status = status
    self.type = type
    self.messages = messages
    self.headers = headers
  }

  init(_ status: HTTPResponse.Status, _ type: String, _ message: String, headers: HTTPFields = [:]) {
    self.init(status, type, messages: [message], headers: headers)
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(["error": Content(type: type, messages: messages)], status: status, headers: headers)
  }

  private struct Content: Encodable {
    var type: String
    var messages: [String]
  }

  static func notFound(_ what: String) -> BackendFailure {
    BackendFailure(.notFound, "not_found", "\(what) does not exist")
  }

  /// What is wrong with a request's values.
  static func invalid(_ messages: [String], status: HTTPResponse.Status = .badRequest) -> BackendFailure {
    BackendFailure(status, "invalid_parameters", messages: messages)
  }
}

/// A refusal in the shape of a service of Supabase that this server does not have.
struct ForeignFailure: HTTPResponseError {
  let status: HTTPResponse.Status
  let document: [String: String]

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(document, status: status)
  }
}

extension Response {
  /// - Parameter keys: how the names of properties become keys.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
    keys: JSONEncoder.KeyEncodingStrategy = .convertToSnakeCase
  ) throws -> Response {
    text(
      try JSONEncoder.data(of: value, keys: keys), "application/json; charset=utf-8", status: status,
      headers: headers)
  }

  /// A response with a body that is at hand.
  static func text(
    _ bytes: some Sequence<UInt8>, _ contentType: String, cache: String = "no-store",
    status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = contentType
    headers[.cacheControl] = cache
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension JSONEncoder {
  /// The document of a value: its members sorted, and named by the properties in snake case.
  static func data(of value: some Encodable, keys: KeyEncodingStrategy = .convertToSnakeCase) throws -> Data {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
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
