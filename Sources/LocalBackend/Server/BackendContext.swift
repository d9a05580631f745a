import ClipModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// The context of a request. Most importantly, it contains the channel, which is needed to request the body.
struct BackendContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  var peer: PeerProcess { PeerProcess(channel: channel) }

  /// Reads the body of a request, up to a limit in bytes. A longer `Content-Length` is rejected before the body
  /// arrives.
  /// - Throws: `excess` if the body is longer.
  func body(of request: Request, limit: Int, excess: some Error) async throws -> ByteBuffer {
    if let length = request.headers.contentByteCount, length > Int64(limit) { throw excess }
    try await askForBody(of: request)
    do {
      return try await request.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw excess
    }
  }

  /// Decodes a JSON body. An empty body counts as an object without members.
  func values<Value: Decodable>(of request: Request, limit: Int, as type: Value.Type) async throws -> Value {
    let body = try await body(
      of: request, limit: limit,
      excess: BackendFailure.invalid(["the body is larger than \(limit >> 10) KiB"], status: .contentTooLarge))
    do {
      return try JSONDecoder().decode(
        type, from: body.readableBytes == 0 ? Data("{}".utf8) : Data(body.readableBytesView))
    } catch let error as DecodingError {
      throw BackendFailure.invalid([Self.text(of: error)])
    }
  }

  /// Parses an integer query parameter.
  static func number(
    _ text: Substring, of name: Substring, in range: ClosedRange<Int>
  ) throws(BackendFailure) -> Int {
    guard let number = decimal(text).map({ Int(clamping: $0) }), range.contains(number) else {
      throw .invalid(["\(name) must be \(range.lowerBound) to \(range.upperBound)"])
    }
    return number
  }

  /// Describes which field is wrong and why, without its value.
  private static func text(of error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(name(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(name(context.codingPath)) is null"
    case .typeMismatch(_, let context): return "\(name(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context) where context.codingPath.isEmpty: return "the body is not valid JSON"
    case .dataCorrupted(let context): return "\(name(context.codingPath)) has an invalid value"
    @unknown default: return "the body has an invalid value"
    }
  }

  /// Sends `100 Continue` to a client that waits for it before it sends the body, as curl does for large bodies.
  ///
  /// Call it only when the body is needed, so that a rejected request transfers nothing. Hummingbird doesn't send it
  /// automatically.
  func askForBody(of request: Request) async throws {
    guard request.head.expectsContinue else { return }
    try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
  }
}

/// Middleware that processes requests to all routes.
protocol BackendMiddleware: RouterMiddleware where Context == BackendContext {}

extension BackendMiddleware {
  typealias Responder = @concurrent (Request, BackendContext) async throws -> Response

  /// The response of the routes, including one that rejects the request.
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
  /// Whether the client sends the body only after `100 Continue` or a timeout.
  var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}

extension Request {
  /// `http://127.0.0.1:7437`, with the host name by which the client addresses this server. `RequestGuard` has already
  /// checked it.
  var ownBase: String { "http://\(head.authority ?? "127.0.0.1")" }
}

extension HTTPFields {
  /// The value of `Content-Length`, if it is a valid number.
  var contentByteCount: Int64? { self[.contentLength].flatMap { decimal($0) } }

  /// The value of a header for which swift-http-types has no constant. `name` is in lowercase.
  func value(of name: String) -> String? { first { $0.name.canonicalName == name }?.value }

  mutating func set(_ name: String, to value: String) {
    guard let name = HTTPField.Name(name) else { return }
    self[name] = value
  }
}

/// The number represented by decimal digits; `nil` if the text contains a sign or spaces, or overflows.
func decimal(_ text: some StringProtocol) -> Int64? { Int64(digits: text) }
