import ClipModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// The context of a request. It stores the connection's channel, which is needed to ask the client for the request
/// body.
struct BackendContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  var peer: PeerProcess { PeerProcess(channel: channel) }

  /// Reads a request's body, up to a limit in bytes. If `Content-Length` exceeds the limit, the request is rejected
  /// before its body is transferred.
  /// - Throws: `excess` if the body exceeds the limit.
  func body(of request: Request, limit: Int, excess: some Error) async throws -> ByteBuffer {
    if let length = request.headers.contentByteCount, length > Int64(limit) { throw excess }
    try await sendContinueIfExpected(for: request)
    do {
      return try await request.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw excess
    }
  }

  /// Decodes a JSON request body. An empty body is treated as an empty object.
  func decodeBody<Value: Decodable>(of request: Request, limit: Int, as type: Value.Type) async throws -> Value {
    let body = try await body(
      of: request, limit: limit,
      excess: BackendFailure.invalid(["the body is larger than \(limit >> 10) KiB"], status: .contentTooLarge))
    do {
      return try JSONDecoder().decode(
        type, from: body.readableBytes == 0 ? Data("{}".utf8) : Data(body.readableBytesView))
    } catch let error as DecodingError {
      throw BackendFailure.invalid([Self.describe(error)])
    }
  }

  /// Parses an integer query parameter.
  static func parseInteger(
    _ text: Substring, of name: Substring, in range: ClosedRange<Int>
  ) throws(BackendFailure) -> Int {
    guard let number = parseDecimal(text).map({ Int(clamping: $0) }), range.contains(number) else {
      throw .invalid(["\(name) must be \(range.lowerBound) to \(range.upperBound)"])
    }
    return number
  }

  /// Describes which field of the body is invalid and why. The description doesn't contain the field's value.
  private static func describe(_ error: DecodingError) -> String {
    func fieldPath(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(fieldPath(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(fieldPath(context.codingPath)) is null"
    case .typeMismatch(_, let context): return "\(fieldPath(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context) where context.codingPath.isEmpty: return "the body is not valid JSON"
    case .dataCorrupted(let context): return "\(fieldPath(context.codingPath)) has an invalid value"
    @unknown default: return "the body has an invalid value"
    }
  }

  /// Sends `100 Continue` if the client waits for it before sending the body, as curl does for large uploads.
  ///
  /// Call this method only when the body is needed, so that rejected requests transfer no body. Hummingbird doesn't
  /// send `100 Continue` automatically.
  func sendContinueIfExpected(for request: Request) async throws {
    guard request.head.expectsContinue else { return }
    try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
  }
}

/// Middleware that processes the requests for all routes.
protocol BackendMiddleware: RouterMiddleware where Context == BackendContext {}

extension BackendMiddleware {
  typealias Responder = @concurrent (Request, BackendContext) async throws -> Response

  /// Returns the response of the next handler. Errors that define an HTTP response are converted to that response.
  static func response(
    to request: Request, _ context: BackendContext, _ next: Responder
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as any HTTPResponseError {
      return try error.response(from: request, context: context)
    }
  }
}

extension HTTPRequest {
  /// Whether the client waits for `100 Continue` or a timeout before it sends the body.
  var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}

extension Request {
  /// The server's base URL as the client addresses it, such as `http://127.0.0.1:7437`. `RequestGuard` has already
  /// checked the host name.
  var requestedBaseURL: String { "http://\(head.authority ?? "127.0.0.1")" }
}

extension HTTPFields {
  /// The body size from `Content-Length`, in bytes; `nil` if the header is missing or invalid.
  var contentByteCount: Int64? { self[.contentLength].flatMap { parseDecimal($0) } }

  /// Returns the value of a header that has no constant in swift-http-types.
  /// - Parameter name: the header's name, in lowercase.
  func value(of name: String) -> String? { first { $0.name.canonicalName == name }?.value }

  mutating func set(_ name: String, to value: String) {
    guard let name = HTTPField.Name(name) else { return }
    self[name] = value
  }
}

/// Parses a number that consists only of decimal digits. Returns `nil` if the text contains any other character, or if
/// the number doesn't fit in 64 bits.
func parseDecimal(_ text: some StringProtocol) -> Int64? { Int64(digits: text) }
