import NIOCore
import NIOHTTP1
import NIOPosix

/// A listening socket on a free loopback port, with one handler per connection.
final class FaultListener: Sendable {
  private let channel: any Channel
  let port: Int

  init<Handler: ChannelInboundHandler>(_ makeHandler: @escaping @Sendable () -> Handler) async throws
  where Handler.InboundIn == HTTPServerRequestPart {
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
          try channel.pipeline.syncOperations.addHandler(makeHandler())
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  deinit { channel.close(promise: nil) }

  func stop() async throws { try await channel.close() }
}

extension ChannelHandlerContext {
  /// Closes the connection with a TCP reset, like a crash or a failing middlebox.
  func reset() {
    if let provider = channel as? any SocketOptionProvider {
      provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { [channel] _ in channel.close(promise: nil) }
    } else {
      close(promise: nil)
    }
  }

  /// Writes a complete answer.
  func answer(_ answer: FaultAnswer, keepsAlive: Bool) {
    var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
    headers.replaceOrAdd(name: "Content-Length", value: String(answer.body.utf8.count))
    if !keepsAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
    write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
    write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
    writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
  }
}
