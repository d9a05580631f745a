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

  /// The body of a request, up to a limit that its head must not exceed either: nobody waits for what is refused anyway.
  /// - Throws: `NIOTooManyBytesError`.
  func body(of request: Request, limit: Int) async throws -> ByteBuffer {
    if let length = request.headers[.contentLength].flatMap({ decimal($0[...]) }), length > Int64(limit) {
      throw NIOTooManyBytesError(maxBytes: limit)
    }
    try await askForBody(of: request)
    return try await request.body.collect(upTo: limit)
  }

  /// Sends `100 Continue` to a client that waits for it before it sends the body (curl does for large ones).
  ///
  /// Called only when the body is wanted, so that a refused request costs no transfer. Hummingbird has no such answer.
  func askForBody(of request: Request) async throws {
    guard request.head.expectsContinue else { return }
    try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
  }
}

extension HTTPRequest {
  /// The client sends the body only after `100 Continue`, or after a while.
  var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}
