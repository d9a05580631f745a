import Foundation
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// What a route knows besides the request: above all the channel, to ask for a body.
struct BackendContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  var peer: ConnectedProcess { ConnectedProcess(channel: channel) }

  /// The body of a request, up to a limit. A longer `Content-Length` is refused before the body arrives.
  /// - Throws: `excess` when the body is longer.
  func body(of request: Request, limit: Int, excess: some Error) async throws -> ByteBuffer {
    if let length = request.headers[.contentLength].flatMap({ decimal($0) }), length > Int64(limit) {
      throw excess
    }
    try await askForBody(of: request)
    do {
      return try await request.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw excess
    }
  }

  /// The values of a JSON body. An empty body is an object without members.
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

  /// The whole number that a parameter gives.
  static func number(
    _ text: Substring, of name: Substring, in range: ClosedRange<Int>
  ) throws(BackendFailure) -> Int {
    guard let number = decimal(text).map({ Int(clamping: $0) }), range.contains(number) else {
      throw .invalid(["\(name) must be \(range.lowerBound) to \(range.upperBound)"])
    }
    return number
  }

  /// Which field is wrong and how, without the value.
  private static func text(of error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(name(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(name(context.codingPath)) is null"
    case .typeMismatch(_, let context): return "\(name(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "the body has no valid value: it is no JSON"
    case .dataCorrupted(let context): return "\(name(context.codingPath)) has no valid value"
    @unknown default: return "the body has no valid value"
    }
  }

  /// Sends `100 Continue` to a client that waits for it before it sends the body (curl does for large ones).
  ///
  /// Called only when the body is wanted, so that a refused request costs no transfer. Hummingbird has no such answer.
  func askForBody(of request: Request) async throws {
    guard request.head.expectsContinue else { return }
    try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
  }
}

/// What works on the requests of all routes.
protocol BackendMiddleware: RouterMiddleware where Context == BackendContext {}

extension BackendMiddleware {
  typealias Responder = @concurrent (Request, BackendContext) async throws -> Response

  /// The response of the routes, also when it is a refusal.
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
  /// The client sends the body only after `100 Continue`, or after a while.
  var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}
