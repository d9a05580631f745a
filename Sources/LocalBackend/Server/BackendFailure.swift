import Foundation
import HTTPTypes
import Hummingbird

/// An error response from the backend's own routes, in the same format as Mux's: `{"error":{"type":…,"messages":[…]}}`.
struct BackendFailure: HTTPResponseError {
  let status: HTTPResponse.Status
  let type: String
  fileprivate let messages: [String]
  fileprivate var headers: HTTPFields = [:]

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try Response.json(["error": ["type": type, "messages": messages] as JSONObject], status: status, headers: headers)
  }
}

extension BackendFailure {
  init(_ status: HTTPResponse.Status, _ type: String, _ message: String, headers: HTTPFields = [:]) {
    self.init(status: status, type: type, messages: [message], headers: headers)
  }

  static func notFound(_ what: String) -> BackendFailure {
    BackendFailure(.notFound, "not_found", "\(what) does not exist")
  }

  /// A response for invalid request values, with one message for each problem.
  static func invalid(_ messages: [String], status: HTTPResponse.Status = .badRequest) -> BackendFailure {
    BackendFailure(status: status, type: "invalid_parameters", messages: messages)
  }
}

extension Optional {
  /// Returns the wrapped value.
  /// - Throws: a 404 error if the optional is `nil`.
  func requireFound(_ what: String) throws(BackendFailure) -> Wrapped {
    guard let self else { throw .notFound(what) }
    return self
  }
}

extension Response {
  /// Encodes a value as a JSON response.
  /// - Parameter keys: the strategy for converting property names to JSON keys.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
    keys: JSONEncoder.KeyEncodingStrategy = .convertToSnakeCase
  ) throws -> Response {
    text(
      try JSONEncoder.data(of: value, keys: keys), "application/json; charset=utf-8", status: status,
      headers: headers)
  }

  /// Creates a response whose body is in memory.
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
