import NIOCore
import NIOPosix
import Synchronization

/// A fault of one connection through the proxy.
public enum ConnectionFault: Equatable, Sendable {
  case none
  /// Resets the connection after this many bytes from the client, which arrive.
  case resetUp(after: Int)
  /// Resets the connection after this many bytes to the client. With 0 the first answer is lost.
  case resetDown(after: Int)
  /// Closes the connection without a reset after this many bytes to the client.
  case closeDown(after: Int)
  /// Stops all traffic after this many bytes from the client.
  case stallUp(after: Int)
  /// Answers with something that isn't HTTP.
  case garble
  /// Refuses the connection.
  case refuse
}

/// A proxy between a client and a local server that breaks connections by script, one fault per connection.
///
/// It doesn't parse HTTP; its faults occur in real networks.
public final class FaultProxy: Sendable {
  private let channel: any Channel
  public let port: Int

  /// - Parameter faults: of the first connections. Later ones have none.
  public init(to serverPort: Int, faults: [ConnectionFault]) async throws {
    let script = Mutex(faults[...])
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Don't read before the other side is connected.
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { client in
        let fault = script.withLock { $0.popFirst() } ?? .none
        switch fault {
        case .refuse: return client.close()
        case .garble:
          return client.writeAndFlush(ByteBuffer(string: "220 mail ready\r\n\r\n")).flatMap { client.close() }
        default: break
        }
        return ClientBootstrap(group: client.eventLoop).channelOption(.autoRead, value: false)
          .connect(host: "127.0.0.1", port: serverPort)
          .flatMap { server in
            client.eventLoop.makeCompletedFuture {
              let (up, down) = Self.limits(fault)
              try client.pipeline.syncOperations.addHandler(Relay(to: server, from: client, limit: up))
              try server.pipeline.syncOperations.addHandler(Relay(to: client, from: client, limit: down))
            }
            .flatMap {
              client.setOption(.autoRead, value: true).and(server.setOption(.autoRead, value: true)).map { _ in }
            }
          }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  deinit { channel.close(promise: nil) }

  private static func limits(_ fault: ConnectionFault) -> (up: Relay.Limit?, down: Relay.Limit?) {
    switch fault {
    case .none, .refuse, .garble: (nil, nil)
    case .resetUp(let count): (.init(byteCount: count, end: .reset), nil)
    case .resetDown(let count): (nil, .init(byteCount: count, end: .reset))
    case .closeDown(let count): (nil, .init(byteCount: count, end: .close))
    case .stallUp(let count): (.init(byteCount: count, end: .stall), nil)
    }
  }
}

/// One direction of one connection.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  struct Limit {
    enum End { case reset, close, stall }

    var byteCount: Int
    var end: End
  }

  private let other: any Channel
  private let client: any Channel
  private let limit: Limit?
  private var byteCount = 0

  init(to other: any Channel, from client: any Channel, limit: Limit?) {
    self.other = other
    self.client = client
    self.limit = limit
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    let room = limit.map { max($0.byteCount - byteCount, 0) } ?? Int.max
    byteCount += buffer.readableBytes
    guard let limit, buffer.readableBytes >= room else { return other.writeAndFlush(buffer, promise: nil) }
    let prefix = buffer.readSlice(length: room) ?? ByteBuffer()
    let (client, other) = (client, other)
    other.writeAndFlush(prefix).whenComplete { _ in
      switch limit.end {
      case .stall: return client.setOption(.autoRead, value: false).whenComplete { _ in }
      case .close: client.close(promise: nil)
      case .reset:
        if let provider = client as? any SocketOptionProvider {
          provider.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in client.close(promise: nil) }
        }
      }
      // The server sees a normal end, so it keeps what it has read.
      if other !== client { other.close(promise: nil) }
    }
  }

  func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
